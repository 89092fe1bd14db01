#include "oracle/host/wire.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>

#include "impl/core/error.h"
#include "oracle/host/journal.h"

namespace upcast {
namespace {

BlockResult some_result() {
  BlockResult result;
  result.id = 7;
  result.first = 28672;
  result.count = 3;
  result.values_judged = 12;
  result.verdict = {VerdictCode::kAgree, VerdictCode::kDifferValue, VerdictCode::kCrash};
  result.known = {0, 0, 0};
  result.subject = {6, 255, 64};
  result.oracle = {6, 6, 254};
  result.ruling = {Ruling::Outcome::kNotAsked, Ruling::Outcome::kSubjectIsOff,
                   Ruling::Outcome::kNotAsked};
  const Verdict differs{
      .code = VerdictCode::kDifferValue,
      .found = VerdictCode::kDifferValue,
      .difference = Difference{.what = Difference::What::kElement, .subject = "1", .oracle = "2"},
      .ruling = {.outcome = Ruling::Outcome::kSubjectIsOff, .subject_ulp = HUGE_VAL}};
  const Verdict crash{.code = VerdictCode::kCrash, .deaths = {{Role::kOracle, "crash(SIGFPE)"}}};
  result.records = {{28673, differs, 0, "a line", "x", "y", "a signature"},
                    {28674, crash, 3, std::string("\xff\0z", 3)}};
  result.matched = {{3, 99}, {200, 1}};
  result.doubted = 5;
  return result;
}

TEST(Wire, SetupSurvives) {
  const WorkerSetup setup{"impl:cpu",
                          "libtorch:cpu",
                          "",
                          {"a", "b"},
                          "[[difference]]",
                          "known.toml",
                          3,
                          {"python:numpy", "test:right"},
                          true,
                          R"({"dtypes": ["int8"]})"};
  EXPECT_TRUE(wire::decode_setup(wire::encode(setup)) == setup);
}

TEST(Wire, SetupOfNoLinesAndOfTwoSurvives) {
  for (const std::vector<std::string>& lines :
       {std::vector<std::string>{}, std::vector<std::string>{"one", "two"}}) {
    EXPECT_EQ(wire::decode_setup(wire::encode(WorkerSetup{"s", "o", "g", lines, "", ""})).lines,
              lines);
  }
}

TEST(Wire, RequestSurvives) {
  const BlockRequest request{3,
                             12288,
                             4096,
                             true,
                             {{12290, Actor::kOracle, false, "crash(SIGFPE)", "last words"},
                              {12291, Actor::kSubject, true, "timeout", ""}}};
  EXPECT_TRUE(wire::decode_request(wire::encode(request)) == request);
}

TEST(Wire, ResultSurvives) {
  const BlockResult result = some_result();
  const BlockResult back = wire::decode_result(wire::encode(result));
  EXPECT_EQ(back.records, result.records) << "one of its lines is bytes, not UTF-8";
  EXPECT_TRUE(back == result);
}

TEST(Wire, EveryTruncationAndGarbageIsAUsageError) {
  const std::string bytes = wire::encode(some_result());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(wire::decode_result(bytes.substr(0, size)), UsageError) << size;
  }
  EXPECT_THROW(wire::decode_hello("hello"), UsageError);
  EXPECT_THROW(wire::decode_hello(wire::encode(some_result())), UsageError);
}

TEST(Wire, ColumnOfAnotherLengthIsAUsageError) {
  BlockResult result = some_result();
  result.verdict.pop_back();
  EXPECT_THROW(wire::decode_result(wire::encode(result)), UsageError);
}

TEST(Wire, FramesArriveInPieces) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  ASSERT_TRUE(wire::write_frame(sockets[0], "first"));
  ASSERT_TRUE(wire::write_frame(sockets[0], ""));
  ASSERT_TRUE(wire::write_frame(sockets[0], "third"));
  close(sockets[0]);
  std::string stream(100, '\0');
  stream.resize(static_cast<std::size_t>(read(sockets[1], stream.data(), stream.size())));
  close(sockets[1]);
  wire::FrameBuffer buffer;
  std::vector<std::string> frames;
  for (const char byte : stream) {
    buffer.append({&byte, 1});
    while (auto frame = buffer.next()) frames.push_back(*frame);
  }
  EXPECT_EQ(frames, (std::vector<std::string>{"first", "", "third"}));
}

TEST(Wire, WritingToAClosedEndIsFalseAndNoSignal) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  close(sockets[1]);
  EXPECT_FALSE(wire::write_frame(sockets[0], "x"));
  close(sockets[0]);
}

TEST(Wire, LengthThatNoFrameHasIsAUsageError) {
  wire::FrameBuffer buffer;
  buffer.append("\xff\xff\xff\xff");
  EXPECT_THROW(buffer.next(), UsageError);
}

TEST(Journal, OutlivesItsWriter) {
  Journal journal;
  EXPECT_EQ(journal.read(), (JournalEntry{0, Actor::kNone}));
  Child({.body = [&](int) {
    return Journal(journal.fd()).enter(std::int64_t{1} << 40, Actor::kOracle), 0;
  }}).wait();
  EXPECT_EQ(journal.read(), (JournalEntry{std::int64_t{1} << 40, Actor::kOracle}));
  journal.leave();
  EXPECT_EQ(journal.read().side, Actor::kNone);
}

TEST(Journal, NoPageIsAUsageError) { EXPECT_THROW(Journal(9999), UsageError); }

}  // namespace
}  // namespace upcast
