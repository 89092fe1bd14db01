#include "tools/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>

#include "cases/counted.h"
#include "cases/select.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "oracle/host/plan_digest.h"
#include "oracle/host/versions.h"
#include "oracle/known/known_matcher.h"
#include "tools/command.h"
#include "tools/known_file.h"
#include "tools/paths.h"
#include "tools/program_digests.h"
#include "tools/progress.h"
#include "tools/rulebook_session.h"
#include "tools/store_bridge.h"
#include "tools/store_path.h"
#include "tools/today.h"

namespace upcast::tools {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int) { interrupted = 1; }

/// Makes the first SIGINT or SIGTERM stop the run after its current blocks. A second one ends the
/// process at once; the store stays sound.
void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

reports::RunPlan make_run_plan(const RunOptions& options, const Plan& plan,
                               const SupervisorOptions& supervised, const WorkerHello& hello,
                               const reports::Claim& claim,
                               const std::vector<KnownDifference>& known, const KnownScope& scope) {
  reports::RunPlan run;
  run.upcast_version = upcast_version();
  run.subject = visible(options.subject);
  run.oracle = visible(options.oracle);
  run.source = visible(source_text(options.source, plan));
  run.planned = plan.planned;
  run.block_size = supervised.block_size;
  run.shard = options.shard;
  run.plan_digest = plan_digest(plan);
  run.claim = claim;
  run.judges_values =
      scope.subject.answers_values && scope.oracle.answers_values && may_judge_values(plan);
  run.date = today();
  run.environment = hello.versions;
  if (!options.out.empty()) run.environment["programs"] = program_digests(hello.programs);
  run.rows = store_rows(plan);
  run.known = store_known(known, scope);
  return run;
}

std::vector<std::string> overlap_lines(const std::vector<KnownOverlap>& overlaps,
                                       const std::vector<KnownDifference>& known,
                                       const KnownScope& scope) {
  std::vector<std::string> lines;
  for (const KnownOverlap& overlap : overlaps) {
    const KnownDifference& first = known[overlap.first];
    const KnownDifference& second = known[overlap.second];
    if (!scope.applies(first) || !scope.applies(second)) continue;
    lines.push_back(
        fmt::format("known differences {} and {} both name {}; make one of them narrower", first.id,
                    second.id, overlap.line));
  }
  return lines;
}

/// How many cases the given blocks of a plan have in sum.
std::int64_t cases_of(const std::vector<std::int64_t>& blocks, const reports::RunPlan& plan) {
  std::int64_t cases = 0;
  for (const std::int64_t id : blocks) {
    cases += std::min(plan.block_size, plan.planned - id * plan.block_size);
  }
  return cases;
}

std::int64_t owned_cases(const reports::RunPlan& plan) {
  std::vector<std::int64_t> blocks;
  for (std::int64_t id = plan.shard.index; id < plan.blocks(); id += plan.shard.count) {
    blocks.push_back(id);
  }
  return cases_of(blocks, plan);
}

/// Runs the blocks that the store lacks, and stores them. Also runs blocks of earlier sessions
/// again in which a case had timed out.
void run_blocks(Supervisor& supervisor, reports::RunStore& store, RunOutcome& outcome) {
  const std::vector<std::int64_t> again = store.blocks_timed_out();
  std::vector<std::int64_t> pending = store.blocks_pending();
  pending.insert(pending.end(), again.begin(), again.end());
  std::sort(pending.begin(), pending.end());
  outcome.blocks_again = std::ssize(again);
  const std::int64_t total = owned_cases(store.plan());
  std::int64_t done = outcome.earlier_cases = total - cases_of(pending, store.plan());
  std::int64_t failing = 0;
  Progress progress("case", done, total);
  const auto take_block = [&](BlockResult&& block) {
    done += block.count;
    outcome.doubted += block.doubted;
    failing += std::count_if(block.verdict.begin(), block.verdict.end(), is_failure);
    for (CaseRecord& record : block.records) {
      if (record.line.empty()) record.line = store.line(record.case_index);
      outcome.shown.push_back(record);
    }
    // Keeps records of cases that agree only if the user asked to see them.
    std::erase_if(block.records, [](const CaseRecord& record) {
      return record.verdict.code == VerdictCode::kAgree && !record.verdict.asked;
    });
    if (std::binary_search(again.begin(), again.end(), block.id))
      store.replace_block(block);
    else
      store.add_block(block);
  };
  const auto show = [&] {
    if (failing > 0)
      progress.update(done, {grouped(failing) + " unexplained"});
    else
      progress.update(done);
  };
  outcome.end = supervisor.run(
      pending, {.block = take_block, .tick = show, .stop = [] { return interrupted != 0; }});
}

}  // namespace

void sum_up(const reports::RunStore& store, const RunOptions& options, RunOutcome& outcome) {
  outcome.summary = reports::summarize(store);
  store.for_each_record([&](const CaseRecord& row) {
    if (is_failure(row.verdict.code) && outcome.failing.size() < kMaxShownFailures)
      outcome.failing.push_back(row);
  });
  if (options.baseline.empty()) return;
  const reports::RunStore baseline = reports::RunStore::open(options.baseline);
  outcome.against_baseline = reports::diff_runs(baseline, store, kMaxShownFailures);
  // A declared difference that stopped occurring is not reported if it had already stopped in the
  // baseline.
  for (const reports::KnownEntry& entry : reports::summarize(baseline).stale)
    std::erase_if(outcome.summary.stale,
                  [&](const reports::KnownEntry& now) { return now.name == entry.name; });
}

int RunOutcome::exit_code() const {
  auto outlook = static_cast<int>(summary.outlook(least_judged));
  const bool is_gated =
      against_baseline && summary.outlook_of_judged() != reports::Outlook::kIncomplete;
  if (is_gated) {
    const bool is_worse = against_baseline->worse() > 0 || !summary.stale.empty();
    outlook = is_worse || !too_little_words().empty() ? kUnexpected : kAsExpected;
  }
  return outlook == 0 && !(overlaps.empty() && miscounted.empty()) ? 1 : outlook;
}

std::string RunOutcome::too_little_words() const {
  return against_baseline && !least_judged ? "" : summary.too_little_words(least_judged);
}

RunOutcome run_session(const RunOptions& options) {
  if (!options.baseline.empty())
    reports::RunStore::open(options.baseline);  // reports a wrong baseline before the run
  if (options.source.grid == kRulebooksGrid) {
    if (!options.witnesses.empty())
      throw UsageError("--grid rulebooks takes no witnesses: leave out --witness");
    if (!options.source.selection.empty() || options.least_judged)
      throw UsageError(
          "--grid rulebooks always runs in full: leave out --ops, --dtypes, --forms, --kinds and "
          "--min-judged");
    return run_rulebook_session(options);
  }
  for (const std::string& side : {options.subject, options.oracle})
    if (const Vendor vendor = parse_side(side).vendor;
        vendor == Vendor::kRuleBook || vendor == Vendor::kTable)
      throw UsageError(side + " can be used with --grid rulebooks only");
  const auto began = Clock::now();
  const Plan whole = load_plan(options.source);
  const KnownFile known_file = load_known_file(options.known_file);
  stop_on_signals();
  const StorePath out(options.out);

  SupervisorOptions supervised;
  supervised.worker = worker_program();
  supervised.setup = {options.subject,     options.oracle,
                      options.source.grid, plan_lines(options.source, whole),
                      known_file.text,     known_file.name,
                      options.time_limit,  options.witnesses,
                      options.doubt,       whole.selection.text()};
  supervised.planned = whole.planned;
  supervised.block_size = options.block_size;
  supervised.jobs = options.jobs;
  supervised.time_limit = options.time_limit;
  supervised.record_all = options.source.grid.empty() && whole.planned <= kMaxShownCases;
  Supervisor supervisor(supervised);

  // Overlaps of known differences are searched for at this point, while the workers load LibTorch.
  const std::vector<KnownOverlap> overlaps = find_overlaps(whole, known_file.differences);

  RunOutcome outcome;
  outcome.least_judged = options.least_judged;
  const WorkerHello& hello = supervisor.hello();
  const Plan claimed = select(whole, Selection::parse(hello.claim));
  // Of a grid, only what the subject claims is run. A list of cases is run whole, because each case
  // that a user names gets a verdict.
  const Plan& plan = options.source.grid.empty() ? whole : claimed;
  supervisor.follow(plan_digest(plan), plan.planned);
  const KnownScope scope = known_scope(parse_side(options.subject), parse_side(options.oracle),
                                       hello.versions, proves_stale(plan));
  outcome.overlaps = overlap_lines(overlaps, known_file.differences, scope);
  reports::RunStore store = reports::RunStore::create_or_resume(
      out.path(),
      make_run_plan(options, plan, supervised, hello,
                    {size_of(whole), size_of(claimed), hello.claim}, known_file.differences, scope),
      [] { return interrupted != 0; });
  run_blocks(supervisor, store, outcome);
  outcome.deaths = supervisor.deaths();
  if (outcome.end == RunEnd::kDone) {
    store.finish(std::chrono::duration<double>(Clock::now() - began).count());
  }
  if (!supervised.record_all) outcome.shown.clear();
  sum_up(store, options, outcome);
  return outcome;
}

}  // namespace upcast::tools
