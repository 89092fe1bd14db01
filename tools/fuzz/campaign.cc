#include "tools/fuzz/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "fuzz/engine_exit.h"
#include "fuzz/tuple_map.h"
#include "impl/core/error.h"
#include "tools/fuzz/artifacts.h"
#include "tools/fuzz/campaign_output.h"
#include "tools/fuzz/campaign_sums.h"
#include "tools/fuzz/corpus.h"
#include "tools/fuzz/corpus_merger.h"
#include "tools/fuzz/quiet_program.h"
#include "tools/fuzz/sharing.h"
#include "tools/fuzz/tuple_report.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// How many times a campaign restarts engines that died, before it gives up.
constexpr int kMaxRestarts = 200;
constexpr auto kPoll = std::chrono::milliseconds(100);
constexpr auto kShow = std::chrono::seconds(1);
/// An engine that dies within so many seconds of its start, or before its first case, died young.
/// After kMaxYoungDeaths of these in a row the campaign gives up.
constexpr double kYoung = 2;
constexpr int kMaxYoungDeaths = 5;
/// Seconds after the end of the campaign's time at which engines that still run are interrupted.
constexpr double kOvertime = 70;
/// An engine may end as worn out, and is started again. With fewer cases than this it counts as
/// dead, because it makes no progress.
constexpr std::int64_t kMinLife = 1000;

volatile std::sig_atomic_t stopped = 0;
void on_interrupt(int) { stopped = 1; }

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Why an engine could not start, from its output file: the last line that begins with "upcast: ".
/// Without such a line, that the disk is full, or where the output is.
std::string mistake_in(const std::string& output) {
  constexpr std::string_view kMark = "upcast: ";
  std::ifstream file(output);
  std::error_code unknown;
  const bool is_full = fs::space(fs::path(output).parent_path(), unknown).available == 0;
  std::string mistake = is_full ? "the disk is full, of " + output
                                : "an engine could not make its sides; see " + output;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kMark)) mistake = line.substr(kMark.size());
  return mistake;
}

CampaignSample sample_of(const CampaignState& state) {
  return {state.seconds, state.cases, state.features, state.signatures};
}

class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options)
      : options_(options), earlier_artifacts_(artifacts_of_log(options)) {
    make_folder(options.corpus);
    log_lock_ = lock_folder(options.log);
    corpus_lock_ = lock_folder(options.corpus);
    check_inputs(options.corpus);
    state_.found = NewFindings(options.log);
    check_sides();
    fs::remove(tuple_file());
    for (const auto& entry : fs::directory_iterator(options.log)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("progress.") || is_engine_output(name)) fs::remove(entry.path());
    }
    note_campaign(options, begun());
    for (int job = 0; job < options.jobs; ++job) {
      jobs_.emplace_back();
      jobs_.back().corpus = fmt::format("{}/job-{}", options.log, job);
      jobs_.back().output = fmt::format("{}/job-{}.out", options.log, job);
      make_folder(jobs_.back().corpus);
      std::ofstream(jobs_.back().output, std::ios::trunc);
    }
    write_seeds();
    if (options.jobs > 1 || !options.exchange.empty()) sharing_.emplace(options);
    share();
    began_ = Clock::now();
  }

  CampaignState run(const std::function<void(const CampaignState&)>& show) {
    stopped = 0;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    struct sigaction before;
    sigaction(SIGINT, &action, &before);
    for (std::size_t job = 0; job < jobs_.size(); ++job) start(job);
    auto shown = Clock::now();
    while (alive()) {
      std::this_thread::sleep_for(kPoll);
      // libFuzzer measures its time by the clock of the day, which may be set back; so the campaign
      // ends it too
      if (stopped || left() < -kOvertime) interrupt();
      for (std::size_t job = 0; job < jobs_.size(); ++job) tend(job);
      if (Clock::now() - shown < kShow) continue;
      shown = Clock::now();
      for (Job& job : jobs_) watch(job);
      if (sharing_ && sharing_->is_due()) share();
      if (sharing_) sharing_->prune();
      update();
      state_.samples.offer(sample_of(state_));
      show(state_);
    }
    update();
    state_.samples.end_with(sample_of(state_));
    if (fs::exists(tuple_file())) {
      const TupleSpace space;
      state_.coverage = tuple_coverage(space, fuzz::read_tuple_map(tuple_file(), space));
    }
    state_.interrupted = stopped != 0;
    share();
    merge();
    sigaction(SIGINT, &before, nullptr);
    return state_;
  }

 private:
  struct Job {
    std::unique_ptr<Child> engine;
    std::string corpus, output;
    Clock::time_point started;
    int starts = 0, young_deaths = 0;
    std::int64_t runs_before = 0;
    std::int64_t cases = 0;   // cases that the engine had judged at the last look
    Clock::time_point moved;  // when `cases` last grew
  };

  /// What the campaign's file holds until the campaign ends: "interrupted", so that a campaign that
  /// is killed does not look finished.
  static CampaignState begun() {
    CampaignState state;
    state.interrupted = true;
    return state;
  }

  void share() {
    if (!sharing_) return;
    std::vector<std::string> folders;
    for (const Job& job : jobs_) folders.push_back(job.corpus);
    sharing_->exchange(folders);
  }

  static std::set<std::string> artifacts_of_log(const CampaignOptions& options) {
    make_folder(options.log);
    return artifacts_in(options.log);
  }

  Variables environment() const {
    auto variables = silent_environment(options_);
    variables.emplace_back("UPCAST_FUZZ_LOG", options_.log);
    return variables;
  }

  /// If the user chose sides, starts an engine once to see whether it can make them, because only
  /// an engine knows which sides it has. Throws UsageError.
  void check_sides() const {
    if (options_.subject.empty() && options_.oracle.empty()) return;
    const std::string input = options_.log + "/sides.input", output = options_.log + "/sides.out";
    std::ofstream(input, std::ios::trunc);
    std::ofstream(output, std::ios::trunc);
    Child engine(
        quiet_program({options_.engine, "-artifact_prefix=" + options_.log + "/sides-", input},
                      output, silent_environment(options_)));
    if (engine.wait().exited_with(fuzz::kEngineMistake)) throw UsageError(mistake_in(output));
  }

  std::string tuple_file() const { return fmt::format("{}/{}", options_.log, fuzz::kTupleFile); }

  /// Writes the committed seeds into the corpus if that is empty.
  void write_seeds() {
    const std::string replay = options_.engine + "-replay";
    if (count_files(options_.corpus) > 0 || !fs::exists(replay)) return;
    Child writer(quiet_program({replay, "-seeds", "-write=" + options_.corpus},
                               options_.log + "/seeds.out"));
    if (!writer.wait().exited_with(0))
      throw UsageError(replay + " cannot write the seeds; see " + options_.log + "/seeds.out");
  }

  double left() const {
    return options_.seconds > 0 ? options_.seconds - seconds_since(began_) : 1e9;
  }

  void start(std::size_t index) {
    Job& job = jobs_[index];
    // Seconds after which the engine reads what other engines have found. 0 for a single engine, so
    // that its result does not depend on time.
    const int reload = sharing_ ? 10 : 0;
    std::vector<std::string> arguments{
        options_.engine,
        fmt::format("-seed={}", options_.seed + index + 1000 * job.starts),
        fmt::format("-artifact_prefix={}/", options_.log),
        "-max_len=512",
        "-timeout=60",
        "-report_slow_units=60",
        rss_limit(options_),
        "-print_final_stats=1",
        fmt::format("-reload={}", reload),
        "-verbosity=1"};
    const bool one_case =
        options_.target != "chain" && options_.target != "notation" && options_.target != "store";
    if (one_case) arguments[3] = "-max_len=64";
    if (options_.seconds > 0)
      arguments.push_back(fmt::format("-max_total_time={}", std::max(1, static_cast<int>(left()))));
    if (options_.runs > 0)
      arguments.push_back(
          fmt::format("-runs={}", std::max<std::int64_t>(1, options_.runs - job.runs_before)));
    arguments.push_back(job.corpus);
    arguments.push_back(options_.corpus);
    job.started = job.moved = Clock::now();
    job.cases = 0;
    ++job.starts;
    job.engine = std::make_unique<Child>(quiet_program(arguments, job.output, environment()));
  }

  /// Kills an engine that has judged no case for options.stuck seconds. libFuzzer itself ends a
  /// case that takes too long, but it hangs if the case holds a lock.
  void watch(Job& job) {
    if (!job.engine) return;
    const std::int64_t cases = cases_of(options_.log, job.engine->pid());
    if (cases != job.cases) {
      job.cases = cases;
      job.moved = Clock::now();
    }
    if (seconds_since(job.moved) > options_.stuck) job.engine->kill();
  }

  /// If an engine has ended before its time, starts it again, or gives up after too many deaths.
  /// Throws UsageError if the engine cannot run at all.
  void tend(std::size_t index) {
    Job& job = jobs_[index];
    if (!job.engine) return;
    const std::optional<ExitStatus> status = job.engine->ended();
    if (!status) return;
    const std::int64_t cases = cases_of(options_.log, job.engine->pid());
    job.runs_before += cases;
    job.engine.reset();
    if (status->exited_with(0) || stopped || left() < 1) return;
    if (status->exited_with(127)) throw UsageError("cannot start " + options_.engine);
    if (status->exited_with(fuzz::kEngineMistake)) throw UsageError(mistake_in(job.output));
    const bool worn_out = status->exited_with(fuzz::kEngineWornOut);
    if (worn_out && cases >= kMinLife) return start(index);  // no death
    set_aside_suspects();
    const bool young = seconds_since(job.started) < kYoung || cases == 0;
    job.young_deaths = young ? job.young_deaths + 1 : 0;
    if (job.young_deaths >= kMaxYoungDeaths || ++state_.restarts > kMaxRestarts) {
      state_.gave_up = true;
      return;
    }
    start(index);
  }

  /// Removes inputs that killed an engine from the corpora, because they would kill the next engine
  /// too. The log keeps a copy of each.
  void set_aside_suspects() const {
    std::vector<std::string> folders = job_folders();
    folders.push_back(options_.corpus);
    for (const std::string& artifact : new_artifacts()) remove_input(artifact, folders);
  }

  std::vector<std::string> new_artifacts() const {
    std::vector<std::string> found;
    for (const std::string& artifact : artifacts_in(options_.log))
      if (!earlier_artifacts_.contains(artifact)) found.push_back(artifact);
    return found;
  }

  /// The folders in the log that engines write inputs to, sorted. Some may be of an earlier
  /// campaign that was killed and had more jobs.
  std::vector<std::string> job_folders() const {
    std::vector<std::string> folders;
    for (const auto& entry : fs::directory_iterator(options_.log))
      if (entry.is_directory() && entry.path().filename().string().starts_with("job-"))
        folders.push_back(entry.path().string());
    std::sort(folders.begin(), folders.end());
    return folders;
  }

  bool alive() const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [](const Job& job) { return job.engine != nullptr; });
  }

  void interrupt() {
    for (Job& job : jobs_)
      if (job.engine) job.engine->interrupt();
  }

  void update() {
    CampaignState sums;
    sums.restarts = state_.restarts;
    sums.gave_up = state_.gave_up;
    sums.samples = std::move(state_.samples);
    sums.seconds = seconds_since(began_);
    add_counts(options_.log, sums);
    sums.crashes = new_artifacts();
    sums.found = std::move(state_.found);
    sums.found.catch_up();
    sums.signatures = sums.found.signatures();
    state_ = std::move(sums);
  }

  /// Merges the corpus and the engines' folders into a new folder, which then replaces the corpus.
  /// Drops inputs that add no feature. Throws UsageError, and changes nothing, if that fails.
  void merge() {
    const std::string pruned = options_.corpus + ".new";
    fs::remove_all(pruned);
    make_folder(pruned);
    const std::vector<std::string> folders = job_folders();
    std::vector<std::string> all{options_.corpus};
    all.insert(all.end(), folders.begin(), folders.end());
    const std::string output = options_.log + "/merge.out";
    Child merger(corpus_merger(options_, pruned, all, output));
    if (!merger.wait().exited_with(0) || count_files(pruned) == 0)
      throw UsageError("the corpora could not be merged, see " + output +
                       "; nothing is lost: " + options_.corpus + " and " + options_.log + "/job-*");
    const std::string old = options_.corpus + ".old";
    fs::remove_all(old);
    // The pruned folder is locked before it becomes the corpus, so no other campaign can take it.
    Descriptor lock = lock_folder(pruned);
    fs::rename(options_.corpus, old);
    fs::rename(pruned, options_.corpus);
    corpus_lock_ = std::move(lock);
    fs::remove_all(old);
    for (const std::string& folder : folders) fs::remove_all(folder);
    state_.corpus = count_files(options_.corpus);
  }

  const CampaignOptions& options_;
  std::set<std::string> earlier_artifacts_;
  Descriptor log_lock_, corpus_lock_;
  Clock::time_point began_ = Clock::now();
  std::vector<Job> jobs_;
  std::optional<Sharing> sharing_;
  CampaignState state_;
};

}  // namespace

CampaignState run_campaign(const CampaignOptions& options,
                           const std::function<void(const CampaignState&)>& show) {
  return Campaign(options).run(show);
}

}  // namespace upcast::tools
