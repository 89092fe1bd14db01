#include "fuzz/in_process.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "cases/notation.h"
#include "fuzz/engine_exit.h"
#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/out_of_scope.h"
#include "oracle/reply_texts.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/verdict_text.h"

namespace upcast::fuzz {

extern const char kKnownDifferences[];

namespace {

constexpr std::int64_t kRuleEvery = 16;  // ConcludeSettings::rule_known_every

/// One case in so many is timed, because reading a thread's clock takes half a microsecond.
constexpr std::int64_t kTimeEvery = 16;
/// The longest time of a case that is counted, in seconds. A longer one is the first call of its
/// kind, or was disturbed, and would weigh as much as many cases.
constexpr double kMostTimed = 2e-4;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The most escapes from traps and endless calls in a process: each one leaks what its call had
/// allocated. Tests set fewer.
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

/// Whether an operand shares storage with one that the call writes. Such storages are not compared:
/// they may differ in last bits as the values may, and an out= may have been resized.
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
      known_(parse_known_differences(kKnownDifferences, "known_differences.toml")),
      arbiter_(truth::make_arbiter()),
      tuples_(log.path_of(kTupleFile)) {
  matcher_.emplace(known_of(subject_name_, oracle_name_));
}

KnownMatcher InProcess::known_of(const std::string& subject, const std::string& oracle) const {
  return {known_, KnownScope{.subject = parse_side(subject),
                             .oracle = parse_side(oracle),
                             .libtorch = version_of(*oracle_),
                             .enumerates = false}};
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

void InProcess::settle(const Case& c, const Verdict& found, const Reply& subject,
                       const Reply& oracle, Sides sides, const Asked& asked, KnownMatcher* known) {
  if (found.code == VerdictCode::kNotJudged) ++log_.progress.not_judged;
  if (!is_failure(found.code)) return;
  const std::string check(asked.check);
  if (control_ && check == "oracle") {
    // If the control agrees with the oracle, the subject is wrong: no known difference may excuse
    // it.
    Reply control;
    ask(*control_, c, control);
    if (is_failure(upcast::judge_replies(c, control, oracle, sides).code)) return;
    known = nullptr;
  }
  ConcludeSettings settings{.sides = sides, .arbiter = arbiter_, .known = known};
  settings.rule_known_every = kRuleEvery;
  settings.is_recorded = [](VerdictCode, int id) { return id == 0; };
  const Conclusion concluded = conclude(c, found, subject, oracle, settings);
  if (concluded.known != 0) {
    ++log_.progress.known;
    log_.count_known(known_[static_cast<std::size_t>(concluded.known) - 1].id);
    return;
  }
  if (!concluded.signature) {  // without a signature both sides are right
    ++log_.progress.both_right;
    return;
  }
  FindingRow row;
  row.check = check;
  row.signature = (check == "oracle" ? "" : check + " ") + concluded.signature->text();
  row.verdict = name(concluded.verdict.code);
  row.line = print_case(c);
  ReplyTexts texts = reply_texts(subject, oracle, concluded.verdict);
  row.subject = std::move(texts.subject);
  row.oracle = std::move(texts.oracle);
  row.detail = sentence(concluded.verdict);
  row.evidence = concluded.verdict;
  row.subject_side = asked.subject;
  row.oracle_side = asked.oracle;
  row.command = asked.subject.empty()
                    ? replay_command("chain", row.line)  // only the target `chain` does it
                    : run_command(row.line, asked.subject, asked.oracle);
  log_.add(row, check + " " + concluded.signature->essence());
}

void InProcess::judge_replies(const Case& c, const Reply& subject, const Reply& oracle, Sides sides,
                              const Asked& asked, KnownMatcher* known) {
  settle(c, upcast::judge_replies(c, subject, oracle, sides), subject, oracle, sides, asked, known);
}

void InProcess::compare_storages(const Case& c) {
  if (found_.code != VerdictCode::kAgree || c.form == Form::kFunctional) return;
  if (subject_reply_.answer.tag != Answer::Tag::kTensor) return;
  const Storages ours = subject_->storages(c);
  const Storages theirs = oracle_->storages(c);
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (shares_with_written(c, i) || ours[i] == theirs[i]) continue;
    Verdict verdict{.code = VerdictCode::kDifferAlias, .found = VerdictCode::kDifferAlias};
    verdict.difference = {.what = Difference::What::kStorage,
                          .element = static_cast<std::int64_t>(i)};
    settle(c, verdict, subject_reply_, oracle_reply_, sides_, {"storages", "", ""}, nullptr);
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
  found_ = upcast::judge_replies(c, subject_reply_, oracle_reply_, sides_);
  if (!timed || subject_reply_.died() || oracle_reply_.died()) return;
  const bool refused = subject_reply_.answer.tag == Answer::Tag::kRefusal;
  if (refused != (oracle_reply_.answer.tag == Answer::Tag::kRefusal)) return;
  const double seconds = processor_seconds() - start;
  if (seconds > kMostTimed) return;
  Progress::Timed& sum = refused ? log_.progress.refusals : log_.progress.answers;
  ++sum.cases;
  sum.seconds += seconds;
}

void InProcess::examine(const Case& c) {
  end_where_worn_out();
  log_.tick();
  if (!why_not_asked(c).empty()) {
    ++log_.progress.not_asked;
    found_ = {.code = VerdictCode::kNotJudged, .found = VerdictCode::kNotJudged};
    subject_reply_ = Reply();
    return;
  }
  ask_both(c);
  if (subject_reply_.answer.tag == Answer::Tag::kRefusal) ++log_.progress.refused;
  mark_features(c, subject_reply_.answer, found_);
  tuples_.mark(c, subject_reply_.answer);
  settle(c, found_, subject_reply_, oracle_reply_, sides_, {"oracle", subject_name_, oracle_name_},
         &*matcher_);
}

}  // namespace upcast::fuzz
