#include "tools/check_steps.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <unordered_set>
#include <utility>

#include "cases/values.h"
#include "oracle/conclude.h"
#include "oracle/impl_subject.h"
#include "oracle/reply_texts.h"
#include "oracle/verdict_text.h"

namespace upcast::tools {
namespace {

constexpr std::size_t kMaxFaults = 3;
constexpr int kMaxDeaths = 10;   // after so many deaths of the side the steps end
constexpr int kTries = 200'000;  // draws for one step, if a manifest excludes most cases

/// A step of `upcast check-plugin`: it asks a sample of `cases` cases from the rows of a grid that
/// it takes.
struct Step {
  std::string_view name;
  std::string_view about;
  std::string_view grid;
  int cases;
  bool (*takes)(const Case& prototype);
  bool is_inferred = false;  // whether infer() is asked the step's cases too
};

bool is_default(const Case& c) { return c.defaults.floating == DType::kFloat32; }

constexpr std::array<Step, 7> kSteps{{
    {"one op", "first calls", "promotion", 100,
     [](const Case& c) { return c.form == Form::kFunctional && is_default(c); }},
    {"promotion", "dtypes of results: tensors, zero-dim tensors and numbers", "promotion", 3000,
     [](const Case& c) { return c.form == Form::kFunctional && is_default(c); },
     /*is_inferred=*/true},
    {"default dtype", "integers with floating functions or floating numbers", "promotion", 1000,
     [](const Case& c) { return !is_default(c); }},
    {"forms", "in place and out=", "promotion", 1000,
     [](const Case& c) { return c.form != Form::kFunctional && is_default(c); },
     /*is_inferred=*/true},
    {"values", "special, random and small values, attributes", "ops", 2000,
     [](const Case&) { return true; }},
    {"strides", "layouts, broadcasting, shared storage, resized out=", "layouts", 2000,
     [](const Case&) { return true; }, /*is_inferred=*/true},
    {"refusals", "calls that must be refused, and similar calls that must not", "refusals", 1000,
     [](const Case&) { return true; }},
}};

/// The rows of a grid that belong to a step and that the manifest does not exclude.
std::vector<const GridRow*> rows_of(const Step& step, const Plan& grid, const Manifest& manifest) {
  std::vector<const GridRow*> rows;
  for (const GridRow& row : grid.rows)
    if (step.takes(row.prototype) && manifest.has(row.prototype)) rows.push_back(&row);
  return rows;
}

Plan sample(const Step& step, const Plan& grid, const Manifest& manifest) {
  const std::vector<const GridRow*> rows = rows_of(step, grid, manifest);
  std::vector<Case> cases;
  std::unordered_set<std::int64_t> drawn;
  SplitMix64 random(1);
  for (int tries = 0; !rows.empty() && tries < kTries && std::ssize(cases) < step.cases; ++tries) {
    // draws from the rows in turn, so that an op with few cases is asked as often as one with many
    const GridRow& row = *rows[static_cast<std::size_t>(tries) % rows.size()];
    const bool begins =
        tries < std::ssize(rows);  // each row begins with its first case, the simplest
    const auto index =
        begins ? 0
               : static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(row.count));
    if (!drawn.insert(row.first + index).second) continue;
    Case c = row.prototype;
    row.decode(index, c);
    if (manifest.why_not(c).empty()) cases.push_back(std::move(c));
  }
  return plan_of_cases(std::move(cases), "cases");
}

std::string mend(const Verdict& verdict, const Reply& reply) {
  const Answer& answer = reply.answer;
  if (reply.died()) return "it must not die in any call; run this case alone under a debugger";
  if (answer.tag == Answer::Tag::kBroken)
    return "the reply is not valid; plugin.h says what a reply may hold";
  switch (verdict.code) {
    case VerdictCode::kDifferDType:
      return "the result dtype is wrong; `upcast explain` prints the rules that give the right one";
    case VerdictCode::kDifferShape:
      return "the shape is wrong: the operands broadcast to another one";
    case VerdictCode::kDifferStrides:
      return "the strides are wrong: TensorIterator keeps the operands' order of dimensions "
             "(docs/iterator.md)";
    case VerdictCode::kDifferAccepts:
      return "it answers what PyTorch refuses";
    case VerdictCode::kDifferRefusal:
      return "it refuses what PyTorch answers; if it is not implemented yet, reply 'not judged' or "
             "leave it out of the manifest";
    case VerdictCode::kDifferValue:
      return "the value is farther from the truth than the op's bounds allow (docs/numerics.md)";
    default:
      return "see the case";
  }
}

constexpr auto kMendInfer =
    "infer() must give the dtype, shape and strides that run() gives, and refuse what it refuses; "
    "let both use one function for them";

/// Compares a side's answer to one case with the right one. Returns whether they agree.
bool judge_case(Subject& side, const Reply& right, const Case& c, StepResult& result,
                Reply& reply) {
  reply.death.clear();
  try {
    side.answer(c, reply.answer);
  } catch (const SideDied& death) {
    ++result.deaths;
    reply.death = death.how;
    reply.why = death.why;
  }
  const ConcludeSettings settings{.sides = {Implementation::kForeign, Implementation::kOurs}};
  const Verdict verdict = conclude(c, reply, right, settings).verdict;
  ++result.cases;
  if (is_agreement(verdict.code)) {
    ++result.agree;
  } else if (verdict.code == VerdictCode::kNotJudged) {
    if (result.not_judged++ == 0) result.why_not_judged = sentence(verdict);
  } else if (result.wrong++ < static_cast<int>(kMaxFaults)) {
    const ReplyTexts texts = reply_texts(reply, right, verdict);
    result.faults.push_back(
        {.line = print_case(c),
         .verdict = std::string(name(verdict.code)),
         .answer = texts.subject + (reply.died() && !reply.why.empty() ? ": " + reply.why : ""),
         .right = texts.oracle,
         .mend = result.asks_infer && !reply.died() ? kMendInfer : mend(verdict, reply)});
  }
  return is_agreement(verdict.code);
}

bool is_result(const Answer& answer) {
  return answer.tag == Answer::Tag::kTensor || answer.tag == Answer::Tag::kDType;
}

/// Collects cases for the step that asks infer(): those that both the side and impl:meta answer
/// with a result. Without values and storages, some calls are refused on the meta device only, and
/// some on other devices only.
class Answered {
 public:
  void add(const Case& c, Reply&& reply) {
    Answer on_meta;
    if (reply.died() || !is_result(reply.answer)) return;
    meta_->answer(c, on_meta);
    if (!is_result(on_meta)) return;
    cases.push_back(c);
    replies.push_back(std::move(reply));
  }

  std::vector<Case> cases;
  std::vector<Reply> replies;

 private:
  std::unique_ptr<Subject> meta_ = make_subject("impl:meta");
};

StepResult infer_step(Subject& inferring, const Plan& calls, const std::vector<Reply>& ran) {
  StepResult result{.name = "infer",
                    .about = "the dtype, shape and strides that run() gives, without values"};
  result.asks_infer = true;
  inferring.expect(calls, 0, calls.planned, {});
  Reply inferred;
  for (std::size_t i = 0; i < ran.size() && result.deaths < kMaxDeaths; ++i)
    judge_case(inferring, ran[i], calls.rows[i].prototype, result, inferred);
  return result;
}

constexpr int kCalls = 500;

/// Checks whether calls leak memory. It repeats one call kCalls times to fill caches, then as often
/// again, and compares. Returns nothing if the side does not tell its memory, or if it died, which
/// the other steps have reported.
std::optional<StepResult> memory_step(Subject& side, const Plan& calls) {
  constexpr std::int64_t kNoise = 8;  // bytes that each call may keep
  const Case& c = calls.rows.front().prototype;
  StepResult result{.name = "memory", .about = "memory does not grow when one call is repeated"};
  std::array<std::optional<std::int64_t>, 2> in_use{};
  try {
    for (auto& bytes : in_use) {
      side.expect(calls, 0, calls.planned, {});
      Answer answer;
      for (int call = 0; call < kCalls; ++call) side.answer(c, answer);
      bytes = side.bytes_in_use();
    }
  } catch (const SideDied&) {
    return std::nullopt;
  }
  if (!in_use[0] || !in_use[1]) return std::nullopt;
  result.cases = 1;
  const std::int64_t kept = (*in_use[1] - *in_use[0]) / kCalls;
  if (kept < kNoise) {
    result.agree = 1;
    return result;
  }
  result.wrong = 1;
  result.faults.push_back({.line = print_case(c),
                           .verdict = "keeps memory",
                           .answer = "keeps about " + std::to_string(kept) + " bytes a call",
                           .right = "keeps nothing",
                           .mend = "release() must free what run() allocates; it is called once "
                                   "for each reply, also for refusals"});
  return result;
}

}  // namespace

bool run_steps(Subject& side, Subject* inferring, const Manifest& manifest,
               const std::function<void(const StepResult&)>& done) {
  ImplSubject reference;
  std::deque<Plan> plans;  // kept, because a side may read a plan until its last answer
  std::optional<Case> first;
  Answered answered;
  int deaths = 0;
  for (const Step& step : kSteps) {
    const Plan& plan = plans.emplace_back(sample(step, make_grid(step.grid), manifest));
    StepResult result{.name = std::string(step.name), .about = std::string(step.about)};
    side.expect(plan, 0, plan.planned, {});
    for (const GridRow& row : plan.rows) {
      const Case& c = row.prototype;
      Reply right;
      Reply reply;
      reference.answer(c, right.answer);
      if (judge_case(side, right, c, result, reply) && !first) first = c;
      if (step.is_inferred && inferring != nullptr) answered.add(c, std::move(reply));
      if (deaths + result.deaths >= kMaxDeaths) break;
    }
    done(result);
    deaths += result.deaths;
    if (deaths >= kMaxDeaths) return false;
  }
  if (inferring != nullptr && !answered.cases.empty()) {
    const Plan& calls = plans.emplace_back(plan_of_cases(std::move(answered.cases), "cases"));
    const StepResult result = infer_step(*inferring, calls, answered.replies);
    done(result);
    if (result.deaths >= kMaxDeaths) return false;
  }
  if (!first) return true;
  const Plan& calls = plans.emplace_back(plan_of_cases(std::vector<Case>(kCalls, *first), "cases"));
  if (const std::optional<StepResult> memory = memory_step(side, calls)) done(*memory);
  return true;
}

}  // namespace upcast::tools
