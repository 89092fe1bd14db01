#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cases/counted.h"
#include "cases/json_text.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "oracle/verdict_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/paths.h"
#include "tools/run_session.h"
#include "tools/verdict_tone.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

nlohmann::ordered_json counts_json(const reports::PairCounts& counts) {
  return {{"tables", counts.tables},       {"cells", counts.cells},
          {"agree", counts.agree},         {"declared", counts.declared},
          {"outside", counts.outside},     {"silent", counts.silent},
          {"no_kernel", counts.no_kernel}, {"unexplained", counts.unexplained}};
}

/// The results of the grid rulebooks as JSON: the counts of each pair of book and table. Then for
/// each two systems how many cells both answer, and in how many of these they agree.
nlohmann::ordered_json rulebook_json(const RunOutcome& outcome) {
  const reports::RulebookFold& fold = outcome.rulebooks;
  nlohmann::ordered_json json;
  json["total"] = counts_json(fold.total());
  json["pairs"] = nlohmann::ordered_json::array();
  for (const reports::PairCounts& pair : fold.pairs) {
    nlohmann::ordered_json row = {{"book", pair.book}, {"table", pair.table}};
    row.update(counts_json(pair));
    json["pairs"].push_back(row);
  }
  json["left_out"] = outcome.left_out;
  json["systems"] = nlohmann::ordered_json::array();
  for (std::size_t a = 0; a < fold.systems.size(); ++a) {
    for (std::size_t b = a + 1; b < fold.systems.size(); ++b) {
      const reports::Agreement found = compare_systems(fold.systems[a], fold.systems[b]);
      json["systems"].push_back({{"a", fold.systems[a].name},
                                 {"b", fold.systems[b].name},
                                 {"cells", found.both},
                                 {"alike", found.alike}});
    }
  }
  return json;
}

std::string json_text(const RunOutcome& outcome) {
  auto json = nlohmann::ordered_json::parse(reports::summary_json(outcome.summary));
  json["exit_code"] = outcome.exit_code();
  if (const std::string words = outcome.too_little_words(); !words.empty())
    json["too_little_judged"] = words;
  json["worker_deaths"] = outcome.deaths;
  json["earlier_cases"] = outcome.earlier_cases;
  json["overlapping_known"] = outcome.overlaps;
  if (outcome.against_baseline)
    json["baseline"] = nlohmann::ordered_json::parse(reports::diff_json(*outcome.against_baseline));
  if (outcome.doubted > 0) json["doubted"] = outcome.doubted;
  if (!outcome.miscounted.empty()) json["miscounted_declarations"] = outcome.miscounted;
  if (!outcome.rulebooks.empty()) json["rulebooks"] = rulebook_json(outcome);
  return dump_json(json, 2);
}

/// Prints a record. If both sides agree, it shows one answer; else one below the other. The answers
/// of witnesses follow.
void print_case_record(std::FILE* to, const CaseRecord& record, std::string_view verdict,
                       std::string_view wrong, std::string_view detail) {
  const auto coloured = [&](const std::string& text) {
    return painted(to, tone_of(record.verdict.code), text);
  };
  if (verdict == name(VerdictCode::kAgree) && record.subject == record.oracle) {
    fmt::print(to, "{}{}  =  {}\n", coloured(fmt::format("{:<16}", verdict)), record.line,
               record.subject);
  } else {
    fmt::print(to, "{} {}\n", coloured(fmt::format("{:<15}", verdict)), record.line);
    fmt::print(to, "  subject       {}\n  oracle        {}\n", record.subject, record.oracle);
  }
  for (const Witness& witness : record.verdict.witnesses)
    fmt::print(to, "  witness       {}  {}  ({})\n", witness.side, witness.answer,
               with_text(witness.with));
  if (!wrong.empty()) fmt::print(to, "  {}\n", wrong);
  if (!detail.empty()) fmt::print(to, "  {}\n", detail);
}

void print_outcome(std::FILE* to, const RunOutcome& outcome, const RunOptions& options) {
  const auto wrong = [&](const CaseRecord& record) {
    const reports::Summary& summary = outcome.summary;
    return reports::wrong_sentence(record.verdict, summary.entry(record.known), summary.sides());
  };
  for (const CaseRecord& record : outcome.shown) {
    std::string verdict(name(record.verdict.code));
    std::string detail = sentence(record.verdict);
    if (record.known != 0) {
      const reports::KnownEntry& entry = outcome.summary.known.at(record.known - 1);
      verdict += fmt::format("({})", entry.name);
      detail = entry.reason;
      if (const std::string alone = alone_text(record.verdict); !alone.empty())
        detail += "\n  " + alone;
    }
    print_case_record(to, record, verdict, wrong(record), detail);
  }
  if (outcome.shown.empty())
    for (const CaseRecord& row : outcome.failing)
      print_case_record(to, row, name(row.verdict.code), wrong(row), sentence(row.verdict));
  fmt::print(to, "{}\n", painted_summary(to, outcome.summary));
  if (options.doubt)
    fmt::print(to, "doubt: witnesses were also asked about {} in which the sides agree\n",
               counted(outcome.doubted, "case"));
  if (outcome.earlier_cases > 0)
    fmt::print(to, "resumed: {} of an earlier session {} not run again; to run all, remove {}\n",
               counted(outcome.earlier_cases, "case"), outcome.earlier_cases == 1 ? "was" : "were",
               visible(options.out));
  if (outcome.blocks_again > 0)
    fmt::print(to, "asked again: {} of an earlier session, because a case in them had timed out\n",
               counted(outcome.blocks_again, "block"));
  for (const reports::KnownEntry& entry : outcome.summary.stale) {
    fmt::print(to, "stale: known difference {} no longer explains any case; delete its row\n",
               entry.name);
  }
  for (const std::string& line : reports::rulebook_text(outcome.rulebooks))
    fmt::print(to, "{}\n", line);
  if (outcome.against_baseline)
    fmt::print(to, "compared with the baseline: {}\n",
               reports::diff_text(*outcome.against_baseline));
  for (const std::string& line : outcome.left_out) fmt::print(to, "{}\n", line);
  for (const std::string& line : outcome.overlaps) fmt::print(to, "overlap: {}\n", line);
  for (const std::string& line : outcome.miscounted) fmt::print(to, "{}\n", line);
  if (const std::string words = outcome.too_little_words(); !words.empty())
    fmt::print(to, "{}\n", words);
  if (outcome.end == RunEnd::kTooManyDeaths) {
    fmt::print(to, "stopped: workers died {}, too often to go on\n",
               counted(outcome.deaths, "time"));
  }
  if (outcome.end != RunEnd::kDone && !options.out.empty()) {
    fmt::print(to, "run the same command again to resume {}\n", visible(options.out));
  }
}

int run(RunOptions options, const std::string& shard, const std::string& least_judged) {
  if (!shard.empty()) options.shard = parse_shard(shard);
  if (!least_judged.empty()) options.least_judged = reports::LeastJudged::parse(least_judged);
  for (std::string* side : {&options.subject, &options.oracle}) *side = resolve_side(*side);
  for (std::string& side : options.witnesses) side = resolve_side(side);
  const RunOutcome outcome = run_session(options);
  print_outcome(people(options.json), outcome, options);
  write_output(options.json, json_text(outcome) + "\n");
  return outcome.exit_code();
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Compare a subject with an oracle, case by case");
  auto options = std::make_shared<RunOptions>();
  auto shard = std::make_shared<std::string>();
  auto least_judged = std::make_shared<std::string>();
  options->jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command->add_option("CASE", options->source.cases,
                      "Case lines, such as 'add(int32[3], 5.5) -> float32[3]'; - reads lines from "
                      "standard input");
  command->add_option("--grid", options->source.grid, "A grid, in full (upcast list grids)");
  command->add_option("--cases", options->source.files, "A .cases file; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--ops", options->source.selection.ops,
                   "Only these ops: names with * and {a,b}, such as 'add,bitwise_*,div.Tensor'")
      ->allow_extra_args(false);
  command->add_option("--dtypes", options->source.selection.dtypes,
                      "Only operands of these dtypes, such as float32,integral,!int8");
  command->add_option("--forms", options->source.selection.forms,
                      "Only these forms: functional, in_place, out");
  command->add_option("--kinds", options->source.selection.kinds,
                      "Only operands of these kinds: dim, zero-dim, wrapped");
  command->add_option("--subject", options->subject, "The side to test")->capture_default_str();
  command->add_option("--oracle", options->oracle, "The side to compare it with")
      ->capture_default_str();
  CLI::Option* const witness =
      command
          ->add_option("--witness", options->witnesses,
                       "A further side, asked where the truth does not decide; may be repeated")
          ->allow_extra_args(false);
  command
      ->add_flag("--doubt", options->doubt, "Ask the witnesses also where subject and oracle agree")
      ->needs(witness);
  command->add_option("--jobs", options->jobs, "Number of worker processes")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command->add_option("--shard", *shard, "I/N: only every Nth block, beginning with the Ith");
  command
      ->add_option("--block", options->block_size,
                   "Cases of a block; with short blocks each shard gets cases of every op")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  command->add_option(
      "--out", options->out,
      "The run store to write; if it holds a part of the same run, the run resumes");
  add_json_option(*command, options->json);
  command
      ->add_option("--time-limit", options->time_limit, "Seconds that a side may take for one case")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
  add_memory_limit_option(*command);
  command->add_option("--baseline", options->baseline,
                      "A run store; cases that fail there too do not count as unexpected");
  command->add_option("--min-judged", *least_judged,
                      "Fail if fewer cases are judged than N, or than P% of all");
  command->add_option("--known", options->known_file,
                      "Known differences (default: those built in)");
  command->callback([options, shard, least_judged, &action] {
    action = [options, shard, least_judged] { return run(*options, *shard, *least_judged); };
  });
}

}  // namespace upcast::tools
