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
#include "tools/fuzz/corpus.h"
#include "tools/fuzz/quiet_program.h"
#include "tools/fuzz/tuple_report.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Deaths without a case between them, before a campaign gives up.
constexpr int kMaxRestarts = 200;
constexpr auto kPoll = std::chrono::milliseconds(100);
constexpr auto kShow = std::chrono::seconds(1);
/// Deaths within so many seconds of a start are one after the other.
constexpr double kYoung = 2;
constexpr int kMaxYoungDeaths = 5;
/// Seconds that an engine may take to end after its time.
constexpr double kOvertime = 70;
/// An engine that is worn out after fewer cases makes no progress.
constexpr std::int64_t kMinLife = 1000;

volatile std::sig_atomic_t stopped = 0;
void on_interrupt(int) { stopped = 1; }

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::int64_t count_files(const fs::path& folder) {
  std::int64_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.is_regular_file();
  return count;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw UsageError(folder + " is not a folder, and cannot be created: " + error.message());
}

/// The line in which an engine said what is wrong with its sides.
std::string mistake_in(const std::string& output) {
  constexpr std::string_view kMark = "upcast: ";
  std::ifstream file(output);
  std::string mistake = "an engine could not make its sides; see " + output;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kMark)) mistake = line.substr(kMark.size());
  return mistake;
}

/// The last number after `word` in a file: "ft:" of libFuzzer's output. 0 where there is none.
std::int64_t last_number_after(const std::string& word, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::streamoff kTail = 1 << 14;
  stream.seekg(0, std::ios::end);
  stream.seekg(std::max<std::streamoff>(0, stream.tellg() - kTail));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t at = text.rfind(word);
  return at == text.npos ? 0 : std::strtoll(text.c_str() + at + word.size(), nullptr, 10);
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
    for (const auto& entry : fs::directory_iterator(options.log))
      if (entry.path().filename().string().starts_with("progress.")) fs::remove(entry.path());
    for (int job = 0; job < options.jobs; ++job) {
      jobs_.emplace_back();
      jobs_.back().corpus = fmt::format("{}/job-{}", options.log, job);
      jobs_.back().output = fmt::format("{}/job-{}.out", options.log, job);
      make_folder(jobs_.back().corpus);
      std::ofstream(jobs_.back().output, std::ios::trunc);
    }
    write_seeds();
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
      // an engine goes by the time of day, which may be set back
      if (stopped || left() < -kOvertime) interrupt();
      for (std::size_t job = 0; job < jobs_.size(); ++job) tend(job);
      if (Clock::now() - shown < kShow) continue;
      shown = Clock::now();
      for (Job& job : jobs_) watch(job);
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
    std::int64_t cases = 0;   // of the engine, when it was last looked at
    Clock::time_point moved;  // when they were last more than before
  };

  static std::set<std::string> artifacts_of_log(const CampaignOptions& options) {
    make_folder(options.log);
    return artifacts_in(options.log);
  }

  /// The environment of a process whose findings do not count: they are known, or are found again.
  std::vector<std::pair<std::string, std::string>> silent_environment() const {
    std::vector<std::pair<std::string, std::string>> variables{{"UPCAST_FUZZ_ON_FINDING", "log"}};
    if (!options_.subject.empty()) variables.emplace_back("UPCAST_FUZZ_SUBJECT", options_.subject);
    if (!options_.oracle.empty()) variables.emplace_back("UPCAST_FUZZ_ORACLE", options_.oracle);
    if (!options_.guard) variables.emplace_back("UPCAST_FUZZ_NO_GUARD", "1");
    return variables;
  }

  std::vector<std::pair<std::string, std::string>> environment() const {
    auto variables = silent_environment();
    variables.emplace_back("UPCAST_FUZZ_LOG", options_.log);
    return variables;
  }

  /// Other sides than the target's own are made once before any job starts: only an engine knows
  /// which there are.
  void check_sides() const {
    if (options_.subject.empty() && options_.oracle.empty()) return;
    const std::string input = options_.log + "/sides.input", output = options_.log + "/sides.out";
    std::ofstream(input, std::ios::trunc);
    std::ofstream(output, std::ios::trunc);
    Child engine(
        quiet_program({options_.engine, "-artifact_prefix=" + options_.log + "/sides-", input},
                      output, silent_environment()));
    if (engine.wait().exited_with(fuzz::kEngineMistake)) throw UsageError(mistake_in(output));
  }

  std::string tuple_file() const { return fmt::format("{}/{}", options_.log, fuzz::kTupleFile); }

  /// The committed seeds, where the corpus is new.
  void write_seeds() {
    const std::string replay = options_.engine + "-replay";
    if (count_files(options_.corpus) > 0 || !fs::exists(replay)) return;
    Child writer(quiet_program({replay, "-seeds", "-write=" + options_.corpus},
                               options_.log + "/seeds.out"));
    if (!writer.wait().exited_with(0))
      throw UsageError(replay + " cannot write the seeds; see " + options_.log + "/seeds.out");
  }

  /// The memory limit in MiB, rounded up: libFuzzer takes 0 for no limit.
  std::string rss_limit() const {
    constexpr std::int64_t kMebibyte = 1 << 20;
    return fmt::format("-rss_limit_mb={}", (options_.memory_limit + kMebibyte - 1) / kMebibyte);
  }

  double left() const {
    return options_.seconds > 0 ? options_.seconds - seconds_since(began_) : 1e9;
  }

  void start(std::size_t index) {
    Job& job = jobs_[index];
    // Seconds after which it reads what others have found; one engine must not go by the clock.
    const int reload = options_.jobs > 1 ? 10 : 0;
    std::vector<std::string> arguments{
        options_.engine,
        fmt::format("-seed={}", options_.seed + index + 1000 * job.starts),
        fmt::format("-artifact_prefix={}/", options_.log),
        "-max_len=512",
        "-timeout=60",
        "-report_slow_units=60",
        rss_limit(),
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

  /// libFuzzer ends a case that takes too long by itself, but for a lock that is not given back.
  void watch(Job& job) {
    if (!job.engine) return;
    const std::int64_t cases = cases_of(job.engine->pid());
    if (cases != job.cases) {
      job.cases = cases;
      job.moved = Clock::now();
    }
    if (seconds_since(job.moved) > options_.stuck) job.engine->kill();
  }

  /// An engine that has ended is started again where it ended before its time.
  void tend(std::size_t index) {
    Job& job = jobs_[index];
    if (!job.engine) return;
    const std::optional<ExitStatus> status = job.engine->ended();
    if (!status) return;
    const std::int64_t cases = cases_of(job.engine->pid());
    job.runs_before += cases;
    job.engine.reset();
    if (status->exited_with(0) || stopped || left() < 1) return;
    if (status->exited_with(127)) throw UsageError("cannot start " + options_.engine);
    if (status->exited_with(fuzz::kEngineMistake)) throw UsageError(mistake_in(job.output));
    const bool worn_out = status->exited_with(fuzz::kEngineWornOut);
    if (worn_out && cases >= kMinLife) return start(index);  // no death
    set_aside_suspects();
    const bool young = seconds_since(job.started) < kYoung || cases == 0;  // a slow machine's
    job.young_deaths = young ? job.young_deaths + 1 : 0;
    if (job.young_deaths >= kMaxYoungDeaths || ++state_.restarts > kMaxRestarts) {
      state_.gave_up = true;
      return;
    }
    start(index);
  }

  /// Removes inputs that killed an engine from the corpora: they would kill the next one too. The
  /// log keeps them.
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

  /// Those of this campaign, and of one before that was killed and had more jobs.
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

  nlohmann::json progress_of(const fs::path& path) const {
    std::ifstream file(path);
    return nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  }

  std::int64_t cases_of(pid_t pid) const {
    const nlohmann::json row = progress_of(fmt::format("{}/progress.{}", options_.log, pid));
    return row.is_object() ? row.value("cases", std::int64_t{0}) : 0;
  }

  void update() {
    CampaignState sums;
    sums.restarts = state_.restarts;
    sums.gave_up = state_.gave_up;
    sums.samples = std::move(state_.samples);
    sums.seconds = seconds_since(began_);
    for (const auto& entry : fs::directory_iterator(options_.log)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("progress.") || name.ends_with(".new")) continue;
      const nlohmann::json row = progress_of(entry.path());
      if (!row.is_object()) continue;
      const auto add = [&row](const char* key, std::int64_t& sum) {
        sum += row.value(key, std::int64_t{0});
      };
      sums.cpu_seconds += row.value("cpu_seconds", 0.0);
      sums.answer_seconds += row.value("answer_seconds", 0.0);
      sums.refusal_seconds += row.value("refusal_seconds", 0.0);
      add("timed_answers", sums.timed_answers);
      add("timed_refusals", sums.timed_refusals);
      add("cases", sums.cases);
      add("refused", sums.refused);
      add("known", sums.known);
      add("findings", sums.findings);
      add("both_right", sums.both_right);
      add("not_judged", sums.not_judged);
      add("not_asked", sums.not_asked);
      add("escapes", sums.escapes);
      const nlohmann::json known = row.value("known_by_id", nlohmann::json::object());
      for (const auto& [id, count] : known.items())
        sums.known_by_id[id] += count.get<std::int64_t>();
    }
    for (const Job& job : jobs_)
      sums.features = std::max(sums.features, last_number_after(" ft: ", job.output));
    sums.crashes = new_artifacts();
    sums.found = std::move(state_.found);
    sums.found.catch_up();
    sums.signatures = sums.found.signatures();
    state_ = std::move(sums);
  }

  /// Merges into a new folder, which replaces the corpus: inputs without a feature of their own are
  /// dropped.
  void merge() {
    const std::string pruned = options_.corpus + ".new";
    fs::remove_all(pruned);
    make_folder(pruned);
    std::vector<std::string> arguments{options_.engine,
                                       "-merge=1",
                                       "-max_len=512",
                                       "-timeout=60",
                                       "-artifact_prefix=" + options_.log + "/merge-",
                                       rss_limit(),
                                       pruned,
                                       options_.corpus};
    const std::vector<std::string> folders = job_folders();
    arguments.insert(arguments.end(), folders.begin(), folders.end());
    const std::string output = options_.log + "/merge.out";
    Child merger(quiet_program(arguments, output, silent_environment()));
    if (!merger.wait().exited_with(0) || count_files(pruned) == 0)
      throw UsageError("the corpora could not be merged, see " + output +
                       "; nothing is lost: " + options_.corpus + " and " + options_.log + "/job-*");
    const std::string old = options_.corpus + ".old";
    fs::remove_all(old);
    Descriptor lock = lock_folder(pruned);  // before another can see it as the corpus
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
  CampaignState state_;
};

}  // namespace

CampaignState run_campaign(const CampaignOptions& options,
                           const std::function<void(const CampaignState&)>& show) {
  return Campaign(options).run(show);
}

}  // namespace upcast::tools
