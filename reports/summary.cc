#include "reports/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "impl/core/error.h"
#include "oracle/side.h"
#include "reports/shards.h"
#include "reports/side_json.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// How many cases the blocks of the store's shard have.
int64_t planned_cases(const RunPlan& plan) {
  int64_t planned = 0;
  for (int64_t id = plan.shard.index; id < plan.blocks(); id += plan.shard.count) {
    planned += std::min(plan.block_size, plan.planned - id * plan.block_size);
  }
  return planned;
}

void add_witnesses(const RunStore& store, Summary& summary) {
  store.for_each_record([&](const CaseRecord& row) {
    if (row.verdict.asked) ++summary.alone[static_cast<size_t>(row.verdict.alone)];
  });
}

/// Counts the cases of the store's blocks by verdict and by known difference, and collects the ops
/// that the subject answered.
void add_verdicts(const RunStore& store, Summary& summary, std::set<std::string_view>& answered) {
  std::vector<bool> is_answered(store.rows().size(), false);
  store.for_each_block([&](const BlockResult& block) {
    summary.counts.values_judged += block.values_judged;
    for (const auto& [id, cases] : block.matched)
      summary.known[static_cast<size_t>(id) - 1].matched += cases;
    for (const uint8_t id : block.known)
      if (id > 0) ++summary.known[id - 1u].hits;
    const GridRow* row = &row_of(store.rows(), block.first);
    for (int64_t i = 0; i < block.count; ++i) {
      const VerdictCode verdict = block.verdict[i];
      summary.counts.add(verdict, block.subject[i], block.oracle[i]);
      while (block.first + i >= row->first + row->count) ++row;
      if (verdict != VerdictCode::kNotJudged && block.subject[i] < kNotRunByte)
        is_answered[row - store.rows().data()] = true;
      if (is_agreement(verdict) || verdict == VerdictCode::kNotJudged) continue;
      summary.blame.add(
          blame_of(verdict, summary.entry(block.known[i]), block.subject[i], block.oracle[i],
                   block.ruling.empty() ? Ruling::Outcome::kNotAsked : block.ruling[i]));
    }
  });
  for (std::size_t i = 0; i < is_answered.size(); ++i)
    if (is_answered[i]) answered.insert(store.rows()[i].op);
}

/// The claim of a plan. A plan without one is from an old version: everything in it is claimed.
Claim claim_of(const RunPlan& plan) {
  if (plan.claim) return *plan.claim;
  std::set<std::string_view> ops;
  for (const GridRow& row : plan.rows) ops.insert(row.op);
  const PlanSize size{plan.planned, std::ssize(ops)};
  return {.whole = size, .claimed = size};
}

Coverage coverage_of(const RunPlan& plan, const Counts& counts, int64_t answered_ops) {
  const Claim claim = claim_of(plan);
  Coverage coverage{.whole = claim.whole,
                    .claimed = claim.claimed,
                    .left_out = claim.whole.cases - plan.planned,
                    .judged = counts.judged(),
                    .answered = answered_ops};
  const double all = static_cast<double>(counts.planned) * static_cast<double>(claim.whole.cases);
  coverage.share =
      all > 0 ? static_cast<double>(coverage.judged) * static_cast<double>(plan.planned) / all : 0;
  return coverage;
}

}  // namespace

void Counts::add(VerdictCode verdict, AnswerByte subject, AnswerByte oracle) {
  ++ran;
  ++by_verdict[static_cast<size_t>(verdict)];
  agree += is_agreement(verdict);
  known += verdict == VerdictCode::kKnown;
  not_judged += verdict == VerdictCode::kNotJudged;
  unexplained += is_failure(verdict);
  crash += verdict == VerdictCode::kCrash;
  timeout += verdict == VerdictCode::kTimeout;
  expectation += verdict == VerdictCode::kExpectation;
  side_died += subject >= kTimeoutByte || oracle >= kTimeoutByte;
}

VerdictCode Counts::worst() const {
  VerdictCode worst = VerdictCode::kAgree;
  for (size_t code = 0; code < by_verdict.size(); ++code) {
    const auto verdict = static_cast<VerdictCode>(code);
    if (by_verdict[code] > 0 && severity(verdict) > severity(worst)) worst = verdict;
  }
  return worst;
}

void Counts::add(const Counts& other) {
  planned += other.planned;
  ran += other.ran;
  agree += other.agree;
  known += other.known;
  unexplained += other.unexplained;
  not_judged += other.not_judged;
  crash += other.crash;
  timeout += other.timeout;
  expectation += other.expectation;
  side_died += other.side_died;
  values_judged += other.values_judged;
  for (size_t i = 0; i < by_verdict.size(); ++i) by_verdict[i] += other.by_verdict[i];
}

int64_t Summary::occurring() const {
  return std::count_if(known.begin(), known.end(),
                       [](const KnownEntry& entry) { return entry.hits > 0; });
}

int64_t Summary::witnessed() const {
  return std::accumulate(alone.begin(), alone.end(), int64_t{0});
}

double Summary::cases_per_second() const {
  return seconds > 0 ? static_cast<double>(counts.ran) / seconds : 0;
}

bool Summary::covers_too_little() const {
  return outlook_of_judged() == Outlook::kAsExpected && !coverage.reaches_floor() &&
         parse_side(subject).vendor != Vendor::kRuleBook;
}

Outlook Summary::outlook(const std::optional<LeastJudged>& least) const {
  if (least && complete && !least->is_met(coverage)) return Outlook::kUnexpected;
  return !least && covers_too_little() ? Outlook::kIncomplete : outlook_of_judged();
}

std::string Summary::too_little_words(const std::optional<LeastJudged>& least) const {
  if (least)
    return least->is_met(coverage) ? "" : "too little was judged: " + least->complaint(coverage);
  if (!covers_too_little()) return "";
  return fmt::format(
      "less than {:.0f} % was judged, which is not a pass (exit code 3): select what the subject "
      "is for (--ops, --dtypes, --forms, --kinds), or say how much is enough (--min-judged)",
      100 * kCoverageFloor);
}

Outlook Summary::outlook_of_judged() const {
  const bool judged = counts.ran > counts.not_judged;
  if (!complete || counts.planned == 0 || counts.ran != counts.planned || !judged ||
      (judges_values && counts.values_judged == 0)) {
    return Outlook::kIncomplete;
  }
  return counts.unexplained > 0 || !stale.empty() ? Outlook::kUnexpected : Outlook::kAsExpected;
}

std::string Summary::judged_words() const {
  const int64_t judged = counts.judged();
  if (judged == counts.ran && coverage.left_out == 0) return counted(judged, "case");
  return counted(judged, "judged case");
}

std::string Summary::open_words() const {
  // Cases that were left out belong to the whole run, not to some of its shards.
  const bool is_whole = shards_given == shards;
  const int64_t left_out = is_whole ? coverage.left_out : 0;
  const int64_t open = counts.not_judged + left_out;
  const std::string of_all = " of " + grouped(counts.ran + left_out);
  std::string words;
  if (open > 0)
    words = fmt::format("; {}{} {} not judged", grouped(open), of_all, open == 1 ? "was" : "were");
  if (counts.timeout > 0)
    words += fmt::format("{} {}{} ran out of time", words.empty() ? ";" : ", and",
                         grouped(counts.timeout), words.empty() ? of_all : "");
  if (!is_whole && coverage.left_out > 0)
    words += fmt::format("{} the subject claims {} of the grid's {}", words.empty() ? ";" : ", and",
                         grouped(coverage.claimed.cases), counted(coverage.whole.cases, "case"));
  return words;
}

std::string Summary::verdict_sentence() const {
  std::string sentence;
  const auto add = [&sentence](std::string_view format, const auto&... arguments) {
    fmt::format_to(std::back_inserter(sentence), fmt::runtime(format), arguments...);
  };
  if (counts.planned == 0 && coverage.left_out > 0)
    return fmt::format("{} claims none of {}: this is not a pass.", subject_name(),
                       counted(coverage.whole.cases, "case"));
  if (counts.planned == 0) return "No case was planned: this is not a pass.";
  if (counts.ran != counts.planned || !complete) {
    add("Incomplete: {} of {} ran. ", grouped(counts.ran), counted(counts.planned, "planned case"));
  }
  if (counts.ran == 0) return sentence + "Nothing was judged: this is not a pass.";
  if (counts.judged() == 0) {
    sentence += "No case was judged: this is not a pass";
    return sentence + (counts.timeout > 0 ? open_words() : "") + '.';
  }
  if (judges_values && counts.values_judged == 0) {
    add("No value was judged: this is not a pass. ");
  }
  const int64_t differ = counts.unexplained - counts.expectation - counts.timeout;
  const char* const unmet =
      counts.expectation == 1 ? "is not what its line expects" : "are not what their lines expect";
  if (differ > 0) {
    add("{} differs from {} without explanation in {} of {}{}.", subject_name(), oracle_name(),
        grouped(differ), judged_words(), open_words());
  } else if (counts.expectation > 0) {
    add("{} agrees with {}, but {} of {} {}{}.", subject_name(), oracle_name(),
        grouped(counts.expectation), counted(counts.judged(), "answer"), unmet, open_words());
  } else {
    const std::string cases = judged_words();
    add("{} {} {} in {}", subject_name(), covers_too_little() ? "agrees with" : "behaves as",
        oracle_name(), counts.judged() == 1 ? "the one" + cases.substr(1) : "all " + cases);
    if (counts.known > 0) add(" except for {}", counted(counts.known, "known difference"));
    add("{}.", open_words());
  }
  if (differ > 0 && counts.expectation > 0)
    add(" {} {}.", counted(counts.expectation, "more answer"), unmet);
  if (differ + counts.expectation > 0 && counts.known > 0) {
    add(" {} more {}.", grouped(counts.known),
        counts.known == 1 ? "is a known difference" : "are known differences");
  }
  if (!stale.empty()) {
    add(" {} no longer {}: delete {}.",
        counted(static_cast<int64_t>(stale.size()), "known difference"),
        stale.size() == 1 ? "occurs" : "occur", stale.size() == 1 ? "its row" : "their rows");
  }
  return sentence;
}

std::string Summary::who_is_wrong() const {
  if (parse_side(subject).vendor == Vendor::kRuleBook) return "";
  return blame_sentence(blame, subject_name(), oracle_name());
}

Summary summarize(const std::vector<const RunStore*>& stores) {
  check(!stores.empty(), "a run store to summarize");
  check_shards(stores);
  const RunPlan& plan = stores.front()->plan();
  Summary summary;
  summary.subject = plan.subject;
  summary.oracle = plan.oracle;
  summary.source = plan.source;
  summary.upcast_version = plan.upcast_version;
  summary.plan_digest = plan.plan_digest;
  summary.judges_values = plan.judges_values;
  summary.date = first_date(stores);
  summary.environment = plan.environment;
  summary.complete = true;
  summary.shards = plan.shard.count;
  summary.shards_given = static_cast<int>(stores.size());
  summary.known = plan.known;
  std::set<std::string_view> answered;
  for (const RunStore* store : stores) {
    summary.counts.planned += planned_cases(store->plan());
    summary.complete = summary.complete && store->complete() && store->blocks_pending().empty();
    summary.seconds += store->seconds();
    add_witnesses(*store, summary);
    add_verdicts(*store, summary, answered);
  }
  summary.coverage = coverage_of(plan, summary.counts, std::ssize(answered));
  for (const KnownEntry& entry : summary.known) {
    if (summary.tells_stale() && entry.matched > 0 && entry.hits == 0)
      summary.stale.push_back(entry);
  }
  return summary;
}

Summary summarize(const RunStore& store) { return summarize({&store}); }

std::string summary_text(const Summary& summary) {
  const Counts& counts = summary.counts;
  std::string text = summary.verdict_sentence();
  if (const std::string who = summary.who_is_wrong(); !who.empty()) text += "\n" + who;
  const auto line = [&text](std::string_view label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "\n  {:<14}{}", label, value);
  };
  std::string versions = "upcast " + summary.upcast_version;
  for (const auto& [key, value] : summary.environment) versions += ", " + key + " " + value;
  line("source", summary.source);
  line("cases", fmt::format("{} planned, {} ran", grouped(counts.planned), grouped(counts.ran)));
  const int64_t chosen = counts.by_verdict[static_cast<size_t>(VerdictCode::kWithinChoice)];
  line("agree", grouped(counts.agree) +
                    (chosen > 0 ? fmt::format(" ({} within the choice of docs/decisions/0003)",
                                              grouped(chosen))
                                : ""));
  line("known",
       fmt::format("{} in {} of {}", counted(counts.known, "case"), grouped(summary.occurring()),
                   counted(static_cast<int64_t>(summary.known.size()), "entry", "entries")));
  line("unexplained",
       fmt::format("{} (crash {}, timeout {}, expectation {})", grouped(counts.unexplained),
                   grouped(counts.crash), grouped(counts.timeout), grouped(counts.expectation)));
  line("not judged", grouped(counts.not_judged));
  line("coverage", summary.coverage.words());
  if (const std::string outside = summary.coverage.outside_words(); !outside.empty())
    line("", outside);
  line("values", grouped(counts.values_judged) + " judged");
  const auto alone = [&](Alone who) { return grouped(summary.alone[static_cast<size_t>(who)]); };
  if (summary.witnessed() > 0)
    line(
        "witnesses",
        fmt::format("asked about {}; the subject stands alone in {}, the oracle in {}, both in {}, "
                    "neither in {}",
                    counted(summary.witnessed(), "recorded case"), alone(Alone::kSubject),
                    alone(Alone::kOracle), alone(Alone::kBoth), alone(Alone::kNeither)));
  if (summary.judges_values)
    line("held to",
         fmt::format("{} (subject); {} (oracle)", words(parse_side(summary.subject).bounds),
                     words(parse_side(summary.oracle).bounds)));
  line("time", fmt::format("{:.1f} s, {} cases/s", summary.seconds,
                           grouped(static_cast<int64_t>(summary.cases_per_second()))));
  line("versions", versions);
  return text;
}

std::string summary_json(const Summary& summary, int indent) {
  const Counts& counts = summary.counts;
  nlohmann::ordered_json json;
  json["$schema"] = json_schemas::kRun;
  json["planned"] = counts.planned;
  json["ran"] = counts.ran;
  json["agree"] = counts.agree;
  json["known"] = counts.known;
  json["unexplained"] = counts.unexplained;
  json["not_judged"] = counts.not_judged;
  json["crash"] = counts.crash;
  json["timeout"] = counts.timeout;
  json["expectation"] = counts.expectation;
  json["by_verdict"] = nlohmann::ordered_json::object();
  for (size_t code = 0; code < kVerdictNames.size(); ++code)
    if (counts.by_verdict[code] > 0)
      json["by_verdict"][std::string(kVerdictNames[code])] = counts.by_verdict[code];
  json["values_judged"] = counts.values_judged;
  json["seconds"] = summary.seconds;
  json["cases_per_second"] = summary.cases_per_second();
  json["complete"] = summary.complete;
  json["exit_code"] = static_cast<int>(summary.outlook());
  json["verdict"] = summary.verdict_sentence();
  json["coverage"] = coverage_json(summary.coverage);
  json["subject"] = summary.subject;
  json["oracle"] = summary.oracle;
  json["sides"] = {{"subject", side_json(summary.subject)}, {"oracle", side_json(summary.oracle)}};
  json["source"] = summary.source;
  for (size_t i = 1; i < kBlameNames.size(); ++i)  // without "nobody"
    json["wrong"][std::string(kBlameNames[i])] = summary.blame.cases[i];
  if (summary.witnessed() > 0)
    for (size_t i = 0; i < kAloneNames.size(); ++i)
      json["alone"][std::string(kAloneNames[i])] = summary.alone[i];
  json["stale_known"] = nlohmann::ordered_json::array();
  for (const KnownEntry& entry : summary.stale) json["stale_known"].push_back(entry.name);
  json["versions"]["upcast"] = summary.upcast_version;
  for (const auto& [key, value] : summary.environment) json["versions"][key] = value;
  return dump_json(json, indent);
}

}  // namespace upcast::reports
