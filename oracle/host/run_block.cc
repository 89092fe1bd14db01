#include "oracle/host/run_block.h"

#include <algorithm>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/judge.h"
#include "oracle/signature.h"

namespace upcast {
namespace {

bool before(const DeadSide& a, const DeadSide& b) { return a.case_index < b.case_index; }

void add_detail(std::string& detail, std::string_view more) {
  if (!detail.empty() && !more.empty()) detail += "; ";
  detail += more;
}

}  // namespace

void BlockRunner::BlockReply::set_dead(const DeadSide* side) {
  dead = side;
  death = side == nullptr ? "" : side->how;
}

std::uint8_t BlockRunner::BlockReply::code() const {
  if (dead != nullptr) {
    if (dead->side == Actor::kJudge) return kNotRunByte;
    return dead->timed_out ? kTimeoutByte : kCrashByte;
  }
  const std::uint8_t code = answer_code(answer);
  return code == kCannotSayCode ? kNotRunByte : code;
}

std::string BlockRunner::BlockReply::text() const {
  if (dead == nullptr) return to_text(answer);
  return dead->side == Actor::kJudge ? "not run" : dead->how;
}

BlockRunner::BlockRunner(const Plan& plan, Subject& subject, Subject& oracle, KnownMatcher& known,
                         Journal& journal, Sides sides, Arbiter arbiter)
    : plan_(plan),
      subject_(subject),
      oracle_(oracle),
      known_(known),
      journal_(journal),
      sides_(sides),
      arbiter_(arbiter) {
  known_.rule_by(arbiter, sides);
}

BlockResult BlockRunner::run(const BlockRequest& request) {
  check(request.first >= 0 && request.count > 0 && request.first + request.count <= plan_.planned,
        "a block of the plan");
  const auto count = static_cast<std::size_t>(request.count);
  BlockResult result;
  result.id = request.id;
  result.first = request.first;
  result.count = request.count;
  result.verdict.reserve(count);
  for (auto* column : {&result.known, &result.subject, &result.oracle}) column->reserve(count);
  record_all_ = request.record_all;
  recorded_.fill(0);
  known_recorded_.clear();
  deaths_ = 0;
  std::vector<DeadSide> dead = request.dead;
  std::stable_sort(dead.begin(), dead.end(), before);
  auto next_dead = dead.begin();

  known_.start_block();
  journal_.enter(request.first, Actor::kJudge);
  const GridRow* row = &plan_.row_of(request.first);
  enter_row(*row);
  announce(request);
  for (std::int64_t index = request.first; index < request.first + request.count; ++index) {
    journal_.enter(index, Actor::kJudge);
    while (index >= row->first + row->count) enter_row(*++row);
    auto last_dead = next_dead;
    while (last_dead != dead.end() && last_dead->case_index == index) ++last_dead;
    const std::span<const DeadSide> of_case(next_dead, last_dead);
    next_dead = last_dead;
    const bool judge_dies = std::any_of(of_case.begin(), of_case.end(), [](const DeadSide& side) {
      return side.side == Actor::kJudge;
    });
    // Where our own code dies, it may be the case itself that cannot be made.
    if (!judge_dies) row->decode(index - row->first, case_);
    run_case(index, of_case, result);
  }
  journal_.leave();
  result.matched = known_.matched();
  result.deaths = deaths_;
  return result;
}

void BlockRunner::announce(const BlockRequest& request) {
  const auto announce_to = [&](Subject& side, Actor other) {
    std::vector<std::int64_t> skipped;
    for (const DeadSide& dead : request.dead)
      if (dead.side != other) skipped.push_back(dead.case_index);
    side.expect(plan_, request.first, request.count, skipped);
  };
  announce_to(subject_, Actor::kOracle);
  announce_to(oracle_, Actor::kSubject);
}

void BlockRunner::enter_row(const GridRow& row) {
  case_ = row.prototype;
  known_.enter_row(row);
}

void BlockRunner::ask(Subject& side, Actor which, std::int64_t index, BlockReply& reply) try {
  if (reply.dead != nullptr) return;
  journal_.enter(index, which);
  side.answer(case_, reply.answer);
} catch (SideDied& death) {
  ++deaths_;
  reply.told = {index, which, death.timed_out, std::move(death.how), std::move(death.why)};
  reply.set_dead(&reply.told);
}

void BlockRunner::run_case(std::int64_t index, std::span<const DeadSide> dead,
                           BlockResult& result) {
  subject_reply_.set_dead(nullptr);
  oracle_reply_.set_dead(nullptr);
  const DeadSide* dead_judge = nullptr;
  for (const DeadSide& side : dead) {
    if (side.side == Actor::kSubject) subject_reply_.set_dead(&side);
    if (side.side == Actor::kOracle) oracle_reply_.set_dead(&side);
    if (side.side == Actor::kJudge) dead_judge = &side;
  }
  Verdict verdict;
  int known = 0;
  ruling_ = {};
  if (dead_judge != nullptr) {
    subject_reply_.set_dead(dead_judge);
    oracle_reply_.set_dead(dead_judge);
    verdict = judged(dead_judge);
  } else {
    ask(subject_, Actor::kSubject, index, subject_reply_);
    ask(oracle_, Actor::kOracle, index, oracle_reply_);
    journal_.enter(index, Actor::kJudge);
    verdict = judged(nullptr);
    const bool values_differ = verdict.code == VerdictCode::kDifferValue;
    result.values_judged += verdict.values_judged;
    known_.enter_case(case_);
    if (verdict.code >= VerdictCode::kDifferDType) {
      known = known_.explain(case_, verdict.code, subject_reply_, oracle_reply_);
      if (known != 0) verdict.code = VerdictCode::kKnown;
    }
    if (values_differ) rule(verdict, known);
    if (case_.expectation) judge_expectations(known != 0, verdict);
    if (verdict.code != VerdictCode::kKnown) known = 0;
  }
  result.verdict.push_back(verdict.code);
  result.known.push_back(static_cast<std::uint8_t>(known));
  result.subject.push_back(subject_reply_.code());
  result.oracle.push_back(oracle_reply_.code());
  if (verdict.code != VerdictCode::kAgree || record_all_) record(index, verdict, known, result);
}

void BlockRunner::rule(Verdict& verdict, int known) {
  if (arbiter_ == nullptr || !is_recorded(verdict.code, known)) return;
  ruling_ = arbiter_(case_, subject_reply_.answer, oracle_reply_.answer, sides_);
  if (ruling_.both_are_right && verdict.code == VerdictCode::kDifferValue)
    verdict.code = VerdictCode::kAgree;
}

bool BlockRunner::is_recorded(VerdictCode code, int known) const {
  const bool is_known = code == VerdictCode::kKnown;
  const bool is_example = is_known && !known_recorded_.contains(known);
  const int limit = is_known ? kMaxKnownRecords : kMaxRecords;
  return record_all_ || is_example || recorded_[static_cast<int>(code)] < limit;
}

Verdict BlockRunner::judged(const DeadSide* dead_judge) const {
  const DeadSide* const deaths[] = {subject_reply_.dead, oracle_reply_.dead};
  if (deaths[0] == nullptr && deaths[1] == nullptr) {
    return judge(case_, subject_reply_.answer, oracle_reply_.answer, sides_);
  }
  Verdict verdict;
  verdict.code = VerdictCode::kTimeout;
  const DeadSide* previous = nullptr;
  for (const DeadSide* dead : deaths) {
    if (dead == nullptr || dead == previous) continue;
    if (!dead->timed_out) verdict.code = VerdictCode::kCrash;
    std::string text(name(dead->side));
    text += dead == dead_judge ? " (our own code): " : ": ";
    text += dead->how;
    if (!dead->why.empty()) text += ", " + dead->why;
    add_detail(verdict.detail, text);
    previous = dead;
  }
  return verdict;
}

void BlockRunner::judge_expectations(bool known, Verdict& verdict) const {
  const auto judge_side = [&](const BlockReply& reply, std::string_view who) {
    if (reply.dead != nullptr) return;
    const Verdict found = judge_expectation(case_, reply.answer, who);
    if (found.code == VerdictCode::kAgree) return;
    // A difference between the sides is the stronger statement.
    if (verdict.code < VerdictCode::kDifferDType) verdict.code = VerdictCode::kExpectation;
    add_detail(verdict.detail, found.detail);
  };
  const bool alike = !known && subject_reply_.dead == nullptr && oracle_reply_.dead == nullptr &&
                     to_text(subject_reply_.answer) == to_text(oracle_reply_.answer);
  judge_side(subject_reply_, alike ? "both answer" : "the subject answers");
  if (!known && !alike) judge_side(oracle_reply_, "the oracle answers");
}

void BlockRunner::record(std::int64_t index, const Verdict& verdict, int known,
                         BlockResult& result) {
  const bool is_counted_only = !is_recorded(verdict.code, known);
  ++recorded_[static_cast<int>(verdict.code)];
  if (verdict.code == VerdictCode::kKnown) known_recorded_.insert(known);
  if (is_counted_only) return;
  // Where our own code died on the case, it was never made: the run store knows its line.
  const bool dies_with_us =
      subject_reply_.dead != nullptr && subject_reply_.dead->side == Actor::kJudge;
  CaseRecord row;
  row.case_index = index;
  row.verdict = verdict;
  row.known = known;
  if (!dies_with_us) row.line = print_case(case_);
  row.subject = subject_reply_.text();
  row.oracle = oracle_reply_.text();
  add_detail(row.verdict.detail, ruling_.text);
  if (!dies_with_us && verdict.code >= VerdictCode::kDifferDType)
    row.signature =
        signature_of(case_, verdict.code, subject_reply_, oracle_reply_, sides_).crash_line();
  result.records.push_back(std::move(row));
}

}  // namespace upcast
