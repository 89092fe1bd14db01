#include "fuzz/in_process.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "cases/grid.h"
#include "cases/notation.h"
#include "fuzz/engine_exit.h"
#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/out_of_scope.h"
#include "fuzz/widened_known.h"
#include "oracle/truth/arbitrate.h"

namespace upcast::fuzz {

extern const char kKnownDifferences[];

namespace {

DeadSide dead_side(const Reply& reply, Actor side) {
  return {.side = side, .timed_out = reply.death == "timeout", .how = reply.death, .why = {}};
}

/// Of the cases that a known difference explains one in so many is held against the truth, which
/// costs as much as twenty cases.
constexpr std::int64_t kRuleEvery = 16;

/// Asking the clock of a thread costs half a microsecond.
constexpr std::int64_t kTimeEvery = 16;
/// What takes longer is the first call of its kind, or was disturbed: one weighs as much as many
/// cases.
constexpr double kMostTimed = 2e-4;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Each escape leaves behind what its call had allocated. A test needs fewer.
std::int64_t most_escapes() {
  constexpr std::int64_t kMostEscapes = 4000;
  const char* text = std::getenv("UPCAST_FUZZ_ESCAPES");
  return text == nullptr ? kMostEscapes : std::max(1LL, std::atoll(text));
}

std::string version_of(const Subject& oracle) {
  const auto versions = oracle.versions();
  const auto found = versions.find("libtorch");
  return found == versions.end() ? "" : found->second;
}

/// What is written differs in its last bits where values do, and an out= may have been resized.
bool shares_with_written(const Case& c, std::size_t position) {
  const auto owner = [&c](int at) {
    return c.operand(at).shares == kOwnStorage ? at : c.operand(at).shares;
  };
  if (position >= c.arguments.size()) return true;
  const int at = owner(static_cast<int>(position));
  for (int written = kSecondOutPosition; written < static_cast<int>(c.arguments.size()); ++written)
    if (written != -2 && is_written(c, written) && owner(written) == at) return true;
  return false;
}

}  // namespace

InProcess::InProcess(std::string subject, std::string oracle, libtorch::Guard* guard,
                     FindingLog& log)
    : subject_name_(std::move(subject)),
      oracle_name_(std::move(oracle)),
      subject_(make_subject(subject_name_)),
      oracle_(make_subject(oracle_name_)),
      guard_(guard),
      most_escapes_(most_escapes()),
      log_(log),
      sides_(sides_of(subject_name_, oracle_name_)),
      known_(widened(parse_known_differences(kKnownDifferences, "known_differences.toml"))),
      arbiter_(&truth::rule),
      tuples_(log.path_of(kTupleFile)) {
  matcher_.emplace(known_of(subject_name_, oracle_name_));
}

void InProcess::set_arbiter(Arbiter arbiter) {
  arbiter_ = arbiter;
  matcher_->rule_by(arbiter_, sides_, kRuleEvery);
}

KnownMatcher InProcess::known_of(const std::string& subject, const std::string& oracle) const {
  KnownMatcher matcher(known_, KnownScope{.subject = parse_side(subject),
                                          .oracle = parse_side(oracle),
                                          .libtorch = version_of(*oracle_),
                                          .enumerates = false});
  matcher.rule_by(arbiter_, sides_of(subject, oracle), kRuleEvery);
  return matcher;
}

void InProcess::ask(Subject& side, const Case& c, Reply& reply) {
  reply.death.clear();
  if (guard_ == nullptr) return side.answer(c, reply.answer);
  const libtorch::Ending ending = guard_->run([&] { side.answer(c, reply.answer); });
  if (ending == libtorch::Ending::kReturned) return;
  reply.answer = Answer();
  reply.death = ending == libtorch::Ending::kTrapped ? "crash(SIGFPE)" : "timeout";
  log_.progress.escapes = guard_->escapes();
}

Verdict InProcess::judged(const Case& c, const Reply& subject, const Reply& oracle,
                          Sides sides) const {
  if (!subject.died() && !oracle.died()) return judge(c, subject.answer, oracle.answer, sides);
  const bool timed_out = subject.death == "timeout" || oracle.death == "timeout";
  return {.code = timed_out ? VerdictCode::kTimeout : VerdictCode::kCrash};
}

std::string InProcess::explain(KnownMatcher& known, const Case& c, VerdictCode code,
                               const Reply& subject, const Reply& oracle) const {
  GridRow row;
  row.prototype = c;
  row.count = 1;
  known.start_block();
  known.enter_row(row);
  known.enter_case(c);
  const DeadSide subject_dead = dead_side(subject, Actor::kSubject);
  const DeadSide oracle_dead = dead_side(oracle, Actor::kOracle);
  const int id = known.explain(c, code, subject.answer, oracle.answer,
                               subject.died() ? &subject_dead : nullptr,
                               oracle.died() ? &oracle_dead : nullptr);
  return id == 0 ? "" : known_[static_cast<std::size_t>(id) - 1].id;
}

void InProcess::conclude(const Case& c, const Reply& subject, const Reply& oracle, Sides sides,
                         const Asked& asked, KnownMatcher* matcher, const Verdict& verdict) {
  if (verdict.code == VerdictCode::kNotJudged) ++log_.progress.not_judged;
  if (verdict.code < VerdictCode::kDifferDType) return;
  if (order_of_writes_decides(c)) {
    ++log_.progress.not_judged;
    return;
  }
  const std::string check(asked.check);
  if (control_ && check == "oracle") {
    // where the control agrees, no known difference is the oracle's fault
    Reply control;
    ask(*control_, c, control);
    if (judged(c, control, oracle, sides).code >= VerdictCode::kDifferDType) return;
    matcher = nullptr;
  }
  const std::string known =
      matcher == nullptr ? "" : explain(*matcher, c, verdict.code, subject, oracle);
  if (!known.empty()) {
    ++log_.progress.known;
    log_.count_known(known);
    return;
  }
  Ruling ruling;
  if (verdict.code == VerdictCode::kDifferValue && arbiter_ != nullptr)
    ruling = arbiter_(c, subject.answer, oracle.answer, sides);
  if (ruling.both_are_right) {
    ++log_.progress.both_right;
    return;
  }
  const Signature signature = signature_of(c, verdict.code, subject, oracle, sides);
  FindingRow row;
  row.check = check;
  row.signature = (check == "oracle" ? "" : check + " ") + signature.text();
  row.verdict = name(verdict.code);
  row.line = print_case(c);
  row.subject = subject.text();
  row.oracle = oracle.text();
  row.detail = verdict.detail + (ruling.text.empty() ? "" : "; " + ruling.text);
  row.subject_side = asked.subject;
  row.oracle_side = asked.oracle;
  row.command = asked.subject.empty()
                    ? replay_command("chain", row.line)  // which alone looks at storages
                    : run_command(row.line, asked.subject, asked.oracle);
  log_.add(row, check + " " + signature.essence());
}

void InProcess::judge_replies(const Case& c, const Reply& subject, const Reply& oracle, Sides sides,
                              const Asked& asked, KnownMatcher* known) {
  conclude(c, subject, oracle, sides, asked, known, judged(c, subject, oracle, sides));
}

void InProcess::compare_storages(const Case& c) {
  if (verdict_.code != VerdictCode::kAgree || c.form == Form::kFunctional) return;
  if (subject_reply_.answer.tag != Answer::Tag::kTensor || order_of_writes_decides(c)) return;
  const Storages ours = subject_->storages(c);
  const Storages theirs = oracle_->storages(c);
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (shares_with_written(c, i) || ours[i] == theirs[i]) continue;
    Verdict verdict{.code = VerdictCode::kDifferAlias};
    verdict.detail = "the storage of operand " + std::to_string(i) + " was changed on one side";
    conclude(c, subject_reply_, oracle_reply_, sides_, {"storages", "", ""}, nullptr, verdict);
    return;
  }
}

void InProcess::end_where_worn_out() {
  if (guard_ == nullptr || guard_->escapes() < most_escapes_ || !log_.in_campaign()) return;
  log_.tick(true);
  std::_Exit(kEngineWornOut);
}

void InProcess::ask_both(const Case& c) {
  const bool timed = log_.progress.cases % kTimeEvery == 0;
  const double start = timed ? processor_seconds() : 0;
  ask(*subject_, c, subject_reply_);
  ask(*oracle_, c, oracle_reply_);
  verdict_ = judged(c, subject_reply_, oracle_reply_, sides_);
  if (!timed || subject_reply_.died() || oracle_reply_.died()) return;
  const bool refused = subject_reply_.answer.tag == Answer::Tag::kRefusal;
  if (refused != (oracle_reply_.answer.tag == Answer::Tag::kRefusal)) return;
  const double seconds = processor_seconds() - start;
  if (seconds > kMostTimed) return;
  Progress::Timed& sum = refused ? log_.progress.refusals : log_.progress.answers;
  ++sum.cases;
  sum.seconds += seconds;
}

const Verdict& InProcess::examine(const Case& c) {
  end_where_worn_out();
  log_.tick();
  if (!why_not_asked(c).empty()) {
    ++log_.progress.not_asked;
    verdict_ = {.code = VerdictCode::kNotJudged};
    subject_reply_ = Reply();
    return verdict_;
  }
  ask_both(c);
  if (subject_reply_.answer.tag == Answer::Tag::kRefusal) ++log_.progress.refused;
  mark_features(c, subject_reply_.answer, verdict_);
  tuples_.mark(c, subject_reply_.answer);
  conclude(c, subject_reply_, oracle_reply_, sides_, {"oracle", subject_name_, oracle_name_},
           &*matcher_, verdict_);
  return verdict_;
}

}  // namespace upcast::fuzz
