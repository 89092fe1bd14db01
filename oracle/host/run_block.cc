#include "oracle/host/run_block.h"

#include <algorithm>
#include <utility>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/plugin/manifest.h"
#include "oracle/reply_texts.h"

namespace upcast {
namespace {

bool before(const DeadSide& a, const DeadSide& b) { return a.case_index < b.case_index; }

void set_death(const DeadSide& dead, Reply& reply) {
  reply.death = dead.how;
  reply.why = dead.why;
}

/// The byte that stands for a side's reply in the result's column of answers.
std::uint8_t code_of(const Reply& reply) {
  if (reply.died()) return reply.timed_out() ? kTimeoutByte : kCrashByte;
  const std::uint8_t code = answer_code(reply.answer);
  return code == kCannotSayCode ? kNotRunByte : code;
}

}  // namespace

BlockRunner::BlockRunner(const Plan& plan, Subject& subject, Subject& oracle, KnownMatcher& known,
                         Journal& journal, Sides sides, Arbiter arbiter, Witnesses* witnesses,
                         bool doubts, RuleArbiter* rules)
    : plan_(plan),
      subject_(subject),
      oracle_(oracle),
      known_(known),
      journal_(journal),
      witnesses_(witnesses),
      doubts_(doubts) {
  settings_.sides = sides;
  settings_.arbiter = std::move(arbiter);
  settings_.rules = rules;
  settings_.known = &known;
  settings_.enters_rows = true;
  settings_.is_recorded = [this](VerdictCode code, int id) { return is_recorded(code, id); };
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
  announce(request);  // before any case, because a side may start a process, which may be killed
  journal_.enter(request.first, Actor::kJudge);
  const GridRow* row = &plan_.row_of(request.first);
  enter_row(*row);
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
    // If our own code died on this case, making its values may have been the cause, so they are not
    // made again.
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

void BlockRunner::ask(Subject& side, Actor which, std::int64_t index, Reply& reply) try {
  if (reply.died()) return;
  journal_.enter(index, which);
  side.answer(case_, reply.answer);
} catch (SideDied& death) {
  ++deaths_;
  reply.death = std::move(death.how);
  reply.why = std::move(death.why);
}

void BlockRunner::ask_both(std::int64_t index) {
  struct Asked {
    Subject& side;
    Actor actor;
    Reply& reply;
  };
  const Asked subject{subject_, Actor::kSubject, subject_reply_};
  const Asked oracle{oracle_, Actor::kOracle, oracle_reply_};
  const Manifest* manifest = oracle_.manifest();
  const bool oracle_declines = manifest != nullptr && !manifest->why_not(case_).empty();
  const auto ask_in_turn = [&](const Asked& first, const Asked& second) {
    ask(first.side, first.actor, index, first.reply);
    const bool is_spared = !first.reply.died() && !second.reply.died() &&
                           first.reply.answer.tag == Answer::Tag::kNotJudged &&
                           !case_.expectation && !second.side.answers_ahead();
    if (is_spared) return decline(kSpared, second.reply.answer);
    ask(second.side, second.actor, index, second.reply);
  };
  if (oracle_declines)
    ask_in_turn(oracle, subject);
  else
    ask_in_turn(subject, oracle);
}

void BlockRunner::run_case(std::int64_t index, std::span<const DeadSide> dead,
                           BlockResult& result) {
  for (Reply* reply : {&subject_reply_, &oracle_reply_}) {
    reply->death.clear();
    reply->why.clear();
  }
  const DeadSide* our_death = nullptr;
  for (const DeadSide& side : dead) {
    if (side.side == Actor::kSubject) set_death(side, subject_reply_);
    if (side.side == Actor::kOracle) set_death(side, oracle_reply_);
    if (side.side == Actor::kJudge) our_death = &side;
  }
  if (our_death != nullptr) return record_our_death(*our_death, result);
  ask_both(index);
  journal_.enter(index, Actor::kJudge);
  Conclusion conclusion = conclude(case_, subject_reply_, oracle_reply_, settings_);
  const VerdictCode code = conclusion.verdict.code;
  result.values_judged += conclusion.verdict.values_judged;
  result.verdict.push_back(code);
  result.known.push_back(static_cast<std::uint8_t>(conclusion.known));
  result.subject.push_back(code_of(subject_reply_));
  result.oracle.push_back(code_of(oracle_reply_));
  const Ruling::Outcome outcome = conclusion.verdict.ruling.outcome;
  if (outcome != Ruling::Outcome::kNotAsked && !is_agreement(code)) {
    result.ruling.resize(static_cast<std::size_t>(result.count));
    result.ruling[static_cast<std::size_t>(index - result.first)] = outcome;
  }
  const bool is_disputed_agreement =
      code == VerdictCode::kAgree && is_disputed(conclusion.verdict, result);
  if (code == VerdictCode::kAgree && !record_all_ && !is_disputed_agreement) return;
  if (!counts_as_recorded(code, conclusion.known)) return;
  if (code != VerdictCode::kAgree) ask_witnesses(conclusion.verdict);
  ReplyTexts texts = reply_texts(subject_reply_, oracle_reply_, conclusion.verdict);
  CaseRecord row{.case_index = index,
                 .verdict = std::move(conclusion.verdict),
                 .known = conclusion.known,
                 .line = print_case(case_),
                 .subject = std::move(texts.subject),
                 .oracle = std::move(texts.oracle)};
  if (conclusion.signature) row.signature = conclusion.signature->crash_line();
  result.records.push_back(std::move(row));
}

bool BlockRunner::is_disputed(Verdict& verdict, BlockResult& result) {
  if (!doubts_) return false;
  ask_witnesses(verdict);
  result.doubted += verdict.asked.has_value();
  return std::any_of(verdict.witnesses.begin(), verdict.witnesses.end(),
                     [](const Witness& witness) { return witness.with == Vote::kNeither; });
}

void BlockRunner::ask_witnesses(Verdict& verdict) {
  if (witnesses_ == nullptr) return;
  witnesses_->ask(case_, subject_reply_, oracle_reply_, settings_.sides, verdict,
                  [this] { journal_.beat(); });
}

void BlockRunner::record_our_death(const DeadSide& death, BlockResult& result) {
  const VerdictCode code = death.timed_out ? VerdictCode::kTimeout : VerdictCode::kCrash;
  result.verdict.push_back(code);
  result.known.push_back(0);
  result.subject.push_back(kNotRunByte);
  result.oracle.push_back(kNotRunByte);
  if (!counts_as_recorded(code, 0)) return;
  CaseRecord row{.case_index = death.case_index, .subject = "not run", .oracle = "not run"};
  row.verdict = {.code = code, .found = code, .deaths = {{Role::kJudge, death.how, death.why}}};
  result.records.push_back(std::move(row));
}

bool BlockRunner::is_recorded(VerdictCode code, int known) const {
  const bool is_known = code == VerdictCode::kKnown;
  const bool is_example = is_known && !known_recorded_.contains(known);
  const bool few = is_known || code == VerdictCode::kWithinChoice;
  const int limit = few ? kMaxKnownRecords : kMaxRecords;
  return record_all_ || is_example || recorded_[static_cast<int>(code)] < limit;
}

bool BlockRunner::counts_as_recorded(VerdictCode code, int known) {
  const bool recorded = is_recorded(code, known);
  ++recorded_[static_cast<int>(code)];
  if (code == VerdictCode::kKnown) known_recorded_.insert(known);
  return recorded;
}

}  // namespace upcast
