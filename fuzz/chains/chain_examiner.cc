#include "fuzz/chains/chain_examiner.h"

#include <fmt/format.h>

#include "fuzz/callable_ids.h"
#include "fuzz/chains/open_values.h"
#include "impl/core/error.h"
#include "oracle/plugin/manifest.h"
#include "oracle/truth/arbitrate.h"

namespace upcast::fuzz {
namespace {

constexpr double kOracleSeconds = 5;     // time limit for one call
constexpr double kSubjectSeconds = 900;  // time limit for many chains, whose graph must be compiled

std::unique_ptr<protocol::ProcessSubject> made(const std::string& name) {
  std::unique_ptr<Subject> side = make_subject(name);
  auto* const process = dynamic_cast<protocol::ProcessSubject*>(side.get());
  if (process == nullptr || process->chains() == protocol::Chains::kNone)
    throw UsageError(fmt::format(
        "{} answers no chains of calls; python:torch does, also with via=compile and via=export",
        name));
  side.release();
  process->watched_by({.time_limit = kSubjectSeconds, .alive = {}});
  return std::unique_ptr<protocol::ProcessSubject>(process);
}

/// The signature of a chain's difference, with the ops of all its calls: "exp>mul.Tensor".
Signature signature_of_chain(const AskedChain& asked, Signature last) {
  std::string ops, calls;
  for (std::size_t i = 0; i + 1 < asked.cases.size(); ++i) {
    ops += fmt::format("{}>", asked.cases[i].op->spec->name);
    calls += fmt::format("{}>", asked.cases[i].callable());
  }
  last.op = ops + last.op;
  last.call = calls + last.call;
  return last;
}

}  // namespace

ChainExaminer::ChainExaminer(const std::string& subject, const std::string& oracle,
                             std::vector<KnownDifference> known)
    : subject_name_(subject),
      oracle_(oracle, kOracleSeconds),
      subject_(made(subject)),
      sides_(sides_of(subject, oracle)),
      rules_(parse_side(subject), parse_side(oracle)),
      known_(std::move(known)) {
  oracle_.start();
}

std::vector<FoundOp> ChainExaminer::callables() const {
  std::vector<FoundOp> claimed;
  for (std::size_t id = 0; id < callable_names().size(); ++id) {
    const FoundOp& found = callable_of(static_cast<std::uint16_t>(id));
    Case c;
    c.op = found.op;
    c.overload = found.overload;
    c.form = found.form;
    if (subject_->manifest()->has(c)) claimed.push_back(found);
  }
  if (claimed.empty())
    throw UsageError("the manifest of " + subject_name_ + " names no op that chains are made of");
  return claimed;
}

Reply ChainExaminer::ask_oracle(const Case& c) {
  const std::string_view why = why_not(c);
  if (why.empty()) return oracle_.ask(c);
  Reply reply;
  decline(why, reply.answer);
  return reply;
}

std::vector<AskedChain> ChainExaminer::by_calls(const Chain& chain) {
  return ask_by_calls(chain, [this](const Case& c) { return ask_oracle(c); });
}

KnownMatcher& ChainExaminer::matcher() {
  if (!matcher_) {
    const auto versions = oracle_.versions();
    const auto libtorch = versions.find("libtorch");
    matcher_.emplace(known_,
                     KnownScope{.subject = parse_side(subject_name_),
                                .oracle = parse_side(oracle_.name()),
                                .libtorch = libtorch == versions.end() ? "" : libtorch->second,
                                .enumerates = false});
  }
  return *matcher_;
}

void ChainExaminer::judge(ChainFinding& finding) {
  const AskedChain& asked = finding.asked;
  const Case& c = asked.last();
  Verdict found = judge_replies(c, finding.subject, asked.reply(), sides_);
  for (std::size_t i = 0; found.code == VerdictCode::kDifferValue && i + 1 < asked.cases.size();
       ++i) {
    const std::string why =
        why_open(asked.cases[i], asked.replies[i].answer, sides_.subject, subject_->chains());
    if (why.empty()) continue;
    found = {.code = VerdictCode::kNotJudged,
             .found = VerdictCode::kNotJudged,
             .not_judged = NotJudged::kNoTruth,
             .why = fmt::format("call {} may pass on different values: {}", i + 1, why)};
  }
  ConcludeSettings settings{.sides = sides_, .arbiter = &truth::arbitrate, .rules = &rules_};
  if (is_failure(found.code)) settings.known = &matcher();
  Conclusion concluded = conclude(c, std::move(found), finding.subject, asked.reply(), settings);
  finding.verdict = std::move(concluded.verdict);
  if (concluded.known != 0)
    finding.known = known_[static_cast<std::size_t>(concluded.known) - 1].id;
  if (concluded.signature) finding.signature = signature_of_chain(asked, *concluded.signature);
}

std::vector<ChainFinding> ChainExaminer::examine(std::vector<AskedChain> chains) {
  std::vector<Chain> requests;
  for (const AskedChain& asked : chains) requests.push_back(asked.request());
  std::vector<Reply> replies = subject_->answer(requests);
  std::vector<ChainFinding> findings;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    findings.push_back({.asked = std::move(chains[i]), .subject = std::move(replies[i])});
    judge(findings.back());
  }
  return findings;
}

}  // namespace upcast::fuzz
