#include "oracle/protocol/process_subject.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <variant>
#include <vector>

#include "cases/notation.h"
#include "cases/values.h"
#include "oracle/testing/usage_error.h"

namespace upcast::protocol {
namespace {

const std::string kPython = UPCAST_PYTHON_PROGRAM;
const std::string kFolder = UPCAST_SOURCE_DIR "/oracle/protocol/testing/";

std::string broken(const std::string& deed) {
  return kPython + " " + kFolder + "broken.py " + deed;
}

constexpr int kCases = 60;
constexpr int kDeedAt = 40;

/// A plan of many cases of `add` and one case of `sub`.
Plan plan() {
  std::vector<Case> cases;
  for (int i = 0; i < kCases; ++i)
    cases.push_back(parse_case((i == kDeedAt ? "sub" : "add") +
                               std::string(".Tensor(float32[1], float32[1], values=random, seed=") +
                               std::to_string(i) + ")"));
  return plan_of_cases(std::move(cases), "cases");
}

using Told = std::variant<Answer, SideDied>;

Told ask(Subject& subject, const Case& c) {
  try {
    return answer_of(subject, c);
  } catch (const SideDied& death) {
    return death;
  }
}

/// The reply to the case of `sub`, at which broken.py does its deed. Expects that all other cases
/// are answered right.
Told deed_of(const std::string& deed, const char* memory_limit = "4GiB") {
  const Plan cases = plan();
  // 4 GiB are the usual limit, but a build with a sanitizer has none.
  setenv(kMemoryLimitVariable, memory_limit, 1);
  ProcessSubject subject("process:broken.py", broken(deed));
  subject.watched_by({.time_limit = 4, .alive = {}});
  subject.expect(cases, 0, kCases, {});
  Told at_deed;
  for (int i = 0; i < kCases; ++i) {
    Case c = cases.rows[i].prototype;
    const Told told = ask(subject, c);
    if (i == kDeedAt) {
      at_deed = told;
      continue;
    }
    const Answer* answer = std::get_if<Answer>(&told);
    EXPECT_TRUE(answer != nullptr && answer->tag == Answer::Tag::kTensor &&
                answer->bytes == operand_values(c, 0))
        << deed << " at " << i;
  }
  return at_deed;
}

struct Deed {
  const char* name;
  const char* how;
  const char* why;  // a part of the text that says why
};

std::string deed_name(const testing::TestParamInfo<Deed>& info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char c) { return c == '-'; });
  return name;
}

/// For each case of a plan, how many cases were in the batch in which it was asked. The process
/// wants `batch` of them. The cases take two default dtypes in turn.
std::vector<float> asked_with(int batch, int cases) {
  std::vector<Case> lines;
  for (int i = 0; i < cases; ++i)
    lines.push_back(parse_case(std::string("neg(float32[1]) @default=") +
                               (i % 2 == 0 ? "float32" : "float64")));
  const Plan plan = plan_of_cases(std::move(lines), "cases");
  ProcessSubject subject("process:together.py",
                         "env PYTHONPATH=" UPCAST_SOURCE_DIR "/oracle/frameworks/python " +
                             kPython + " " + kFolder + "together.py " + std::to_string(batch));
  subject.watched_by({.time_limit = 4, .alive = {}});
  subject.expect(plan, 0, cases, {});
  std::vector<float> counts;
  for (const GridRow& row : plan.rows) {
    const Answer answer = answer_of(subject, row.prototype);
    counts.push_back(-1);
    if (answer.bytes.size() == sizeof(float))
      std::memcpy(&counts.back(), answer.bytes.data(), sizeof(float));
  }
  return counts;
}

TEST(Together, AsManyAsTheProcessWantsWhateverTheDefaultDtypes) {
  EXPECT_EQ(asked_with(100, 160), std::vector<float>(160, 80));
  for (const float count : asked_with(40, 160)) EXPECT_GE(count, 40);
}

TEST(Together, ANumberOutOfRangeIsNoHello) {
  for (const int batch : {0, 513})
    EXPECT_NE(usage_error_of([&] {
                asked_with(batch, 1);
              }).find("in a request, but a request has 1 to 512"),
              std::string::npos)
        << batch;
}

class Dies : public testing::TestWithParam<Deed> {};

TEST_P(Dies, AtTheCaseAndNowhereElse) {
  const Told told = deed_of(GetParam().name);
  const SideDied* death = std::get_if<SideDied>(&told);
  ASSERT_NE(death, nullptr);
  EXPECT_EQ(death->how, GetParam().how);
  EXPECT_NE(death->why.find(GetParam().why), std::string::npos) << death->why;
  EXPECT_EQ(death->timed_out, death->how == "timeout");
}

INSTANTIATE_TEST_SUITE_P(
    Processes, Dies,
    testing::Values(Deed{"segfault", "crash(SIGSEGV)", ""},
                    Deed{"abort", "crash(SIGABRT)", "the reason of the abort"},
                    Deed{"exit", "crash(exit 3)", ""},
                    Deed{"exit-0", "crash(no protocol)", "closed its standard output"},
                    Deed{"hang", "timeout", ""},
                    Deed{"garbage", "crash(no protocol)", "a library prints on standard output"},
                    Deed{"json-garbage", "crash(no protocol)", "progress"},
                    Deed{"a-byte-a-second", "timeout", ""}, Deed{"ignore-signals", "timeout", ""},
                    Deed{"flood-errors", "timeout", ""},
                    Deed{"become-a-daemon", "crash(no protocol)", "closed its standard output"},
                    Deed{"huge-array", "crash(exit 1)", "more memory than the limit of 4 GiB"},
                    Deed{"partial-line", "timeout", ""}, Deed{"partial-exit", "crash(exit 4)", ""},
                    Deed{"close-output", "crash(no protocol)", "closed its standard output"},
                    Deed{"one-gigabyte", "crash(no protocol)", "a line of more than 64 MiB"},
                    Deed{"wrong-id", "crash(no protocol)", ""},
                    Deed{"no-id", "crash(no protocol)", "without an id"},
                    Deed{"wrong-seq", "crash(no protocol)", "answers request"}),
    deed_name);

class Breaks : public testing::TestWithParam<Deed> {};

TEST_P(Breaks, TheAnswerAlone) {
  const Told told = deed_of(GetParam().name);
  const Answer* answer = std::get_if<Answer>(&told);
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->tag, Answer::Tag::kBroken);
  EXPECT_NE(answer->detail.find(GetParam().why), std::string::npos) << answer->detail;
}

INSTANTIATE_TEST_SUITE_P(
    Answers, Breaks,
    testing::Values(
        Deed{"no-dtype", "", "floot32"}, Deed{"dtype-without-ops", "", "qint8"},
        Deed{"wrong-shape", "", "8 hexadecimal digits, but dtype and shape need 56"},
        Deed{"negative-shape", "", "not a valid shape"},
        Deed{"huge-shape", "", "not a valid shape"},
        Deed{"shape-is-text", "", "not a list of numbers"},
        Deed{"wrong-strides", "", "2 strides for 1 dimension"},
        Deed{"odd-hex", "", "6 hexadecimal digits"}, Deed{"no-hex", "", "not a hexadecimal digit"},
        Deed{"outside", "", "not in the shared memory"}, Deed{"null", "", "not a list of results"},
        Deed{"no-results", "", "not a list of results"}, Deed{"null-result", "", "no \"dtype\""},
        Deed{"nothing", "", "none of ok"}, Deed{"errored", "", "KeyError: 'sub'"},
        Deed{"errored-for-memory", "", "more memory than the limit of 4 GiB"},
        Deed{"skipped-without-why", "", "without a \"why\""}),
    deed_name);

TEST(ProcessSubject, TheMemoryLimitMayBeChosen) {
  const Told told = deed_of("grow", "100MiB");
  const SideDied* death = std::get_if<SideDied>(&told);
  ASSERT_NE(death, nullptr);
  EXPECT_NE(death->why.find("MemoryError; it needs more memory than the limit of 100 MiB"),
            std::string::npos)
      << death->why;
}

/// The process answers one request twice. Then only the process is to blame, and not the case that
/// is under way.
TEST(ProcessSubject, AnAnswerThatComesTwiceIsBlamedOnNoOtherCase) {
  const Told told = deed_of("answers-twice");
  const Answer* answer = std::get_if<Answer>(&told);
  EXPECT_TRUE(answer == nullptr || answer->tag == Answer::Tag::kTensor);
}

TEST(ProcessSubject, AnswersThatAreSound) {
  const auto tag_of = [](const std::string& deed) { return std::get<Answer>(deed_of(deed)).tag; };
  EXPECT_EQ(tag_of("right"), Answer::Tag::kTensor);
  EXPECT_EQ(tag_of("piecewise"), Answer::Tag::kTensor);
  EXPECT_EQ(tag_of("refused"), Answer::Tag::kRefusal);
  EXPECT_EQ(tag_of("skipped"), Answer::Tag::kNotJudged);
  const Told other = deed_of("wrong-dtype");
  EXPECT_EQ(std::get<Answer>(other).dtype, DType::kFloat64);
}

/// The message to a user whose command cannot be used at all.
std::string complaint(const std::string& command) {
  return usage_error_of([&] { ProcessSubject("process:it", command); });
}

TEST(ProcessSubject, AWrongHelloIsOneLine) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {broken("not-json"), "process:it does not speak the protocol: its first line is 'Welcome!'"},
      {broken("no-proto"),
       "process:it: does not say hello: its first line is not a JSON object with \"proto\""},
      {broken("wrong-proto"),
       "process:it: speaks version 99 of the protocol, this upcast version 1"},
      {broken("dies-at-once"),
       "process:it ended before it said hello (crash(exit 9)): no licence found"},
      {"/no/such/program",
       "process:it ended before it said hello (crash(exit 127)): /bin/sh: 1: exec: "
       "/no/such/program: "
       "not found"}};
  for (const auto& [command, text] : rows) EXPECT_EQ(complaint(command), text);
  for (const char* deed : {"bad-manifest", "no-name"}) {
    const std::string text = complaint(broken(deed));
    EXPECT_TRUE(text.starts_with("process:it: the manifest's ")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(ProcessSubject, AManifestKeepsCasesBack) {
  ProcessSubject subject("process:broken.py", broken("right"));
  const Answer answer = answer_of(subject, parse_case("add.Tensor(int8[1], int8[1])"));
  EXPECT_EQ(answer.tag, Answer::Tag::kNotJudged);
  EXPECT_EQ(answer.detail, "no such dtype: int8");
}

TEST(ProcessSubject, SkippedCasesAreNotAsked) {
  const Plan cases = plan();
  ProcessSubject subject("process:broken.py", broken("segfault"));
  const std::vector<std::int64_t> skipped{kDeedAt};
  subject.expect(cases, 0, kCases, skipped);
  for (int i = 0; i < kCases; ++i) {
    if (i == kDeedAt) continue;
    const Case& c = cases.rows[i].prototype;
    EXPECT_EQ(answer_of(subject, c).bytes, operand_values(c, 0));
  }
}

TEST(ProcessSubject, LifeIsShownWhileItWaits) {
  ProcessSubject subject("process:broken.py", broken("hang"));
  int beats = 0;
  subject.watched_by({.time_limit = 1, .alive = [&beats] { ++beats; }});
  EXPECT_THROW(answer_of(subject, parse_case("sub.Tensor(float32[1], float32[1])")), SideDied);
  EXPECT_GE(beats, 5);
}

TEST(ProcessSubject, AWrongAnswerToASettingIsADeath) {
  ProcessSubject subject("process:broken.py", broken("configure-null"));
  EXPECT_THROW(answer_of(subject, parse_case("add.Tensor(float32[1], float32[1])")), SideDied);
}

std::string template_backend() {
  const std::string folder = UPCAST_SOURCE_DIR "/oracle/frameworks/python";
  return "env PYTHONPATH=" + folder + " " + kPython + " " + folder + "/template/backend.py";
}

std::vector<Reply> replies_of(ProcessSubject& subject, const std::vector<std::string>& texts) {
  std::vector<Chain> chains;
  for (const std::string& text : texts) chains.push_back(parse_chain(text));
  return subject.answer(chains);
}

/// A reply in the notation of cases.
std::string text_of(const Reply& reply) { return reply.text(); }

TEST(Chains, AreAnsweredByTheirLastCall) {
  ProcessSubject subject("process:template", template_backend());
  ASSERT_EQ(subject.chains(), Chains::kRounded);
  const auto replies = replies_of(
      subject, {"add(int32[2]{1,2}, int32[2]{10,20}); [takes 1] neg(int32[2])",
                "add(int32[2]{1,2}, 2.5); [takes 2] add(float32[2]{1,1}, float32[2]); [takes 1] "
                "neg(float32[2])",
                "neg(int32[2]{1,2}); [takes 1] exp(int32[2])", "neg(float64[]{3})"});
  EXPECT_EQ(text_of(replies[0]), "int32[2]{-11,-22}");
  EXPECT_EQ(text_of(replies[1]), "float32[2]{-4.5,-5.5}");
  EXPECT_EQ(replies[2].answer.tag, Answer::Tag::kNotJudged);  // the process does not claim exp
  EXPECT_EQ(text_of(replies[3]), "float64[]{-3}");
}

TEST(Chains, HaveOneDefaultDTypeEach) {
  ProcessSubject subject("process:template", template_backend());
  const auto replies =
      replies_of(subject, {"neg(int32[1]{1}) @default=float64", "neg(int32[1]{1})"});
  // The template accepts only the default dtype float32.
  EXPECT_EQ(replies[0].answer.tag, Answer::Tag::kNotJudged);
  EXPECT_EQ(text_of(replies[1]), "int32[1]{-1}");
}

TEST(Chains, OneThatKillsTheProcessIsThatChainsReply) {
  ProcessSubject subject("process:broken.py", broken("segfault"));
  EXPECT_EQ(subject.chains(), Chains::kNone);
  const std::string add = "[takes 2] add(float32[1]{7}, float32[1])";
  const std::string first = "add(float32[1]{1}, float32[1]{2}); ";
  const auto replies = replies_of(
      subject, {first + add, first + "[takes 2] sub(float32[1]{7}, float32[1])", first + add});
  EXPECT_EQ(replies[1].death, "crash(SIGSEGV)");
  for (const std::size_t i : {0U, 2U}) EXPECT_EQ(text_of(replies[i]), "float32[1]{7}") << i;
}

}  // namespace
}  // namespace upcast::protocol
