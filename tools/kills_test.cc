// Tests that kill random processes of a command at random moments by SIGKILL. Work that is resumed
// must end as if undisturbed, and no process may be left. $UPCAST_KILLS says how many kills each
// scenario gets (ctest -C nightly: 70).
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "oracle/process/child.h"
#include "reports/run_store.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kMarker = "UPCAST_KILLS_TEST";

int kills_wanted() {
  const char* const chosen = std::getenv("UPCAST_KILLS");
  return chosen != nullptr ? std::atoi(chosen) : 6;
}

void nap(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A command and all processes that it starts. They are found by a variable in their environment,
/// even if they left its process group.
class KilledCommand {
 public:
  KilledCommand(Words arguments, std::mt19937& chance) : chance_(chance) {
    static int number = 0;
    mark_ = std::to_string(getpid()) + "." + std::to_string(number++);
    const std::string folder = temporary_folder();
    out_ = folder + "/out." + mark_;
    err_ = folder + "/err." + mark_;
    child_.emplace(ChildSetup{.command = joined({upcast_program()}, arguments),
                              .environment = {{kMarker, mark_}},
                              .input = "/dev/null",
                              .output = out_,
                              .errors = err_,
                              .interrupt = Interrupt::kShared});
  }

  /// Waits a random time, `mean_seconds` on average, and kills one random process of the command.
  /// Returns false once the command has ended.
  bool kill_one(double mean_seconds) {
    if (child_->wait_for(std::exponential_distribution(1 / mean_seconds)(chance_))) return false;
    const std::vector<pid_t> alive = processes();
    if (alive.empty()) return false;
    const pid_t chosen = alive[chance_() % alive.size()];
    const std::string name = text_of("/proc/" + std::to_string(chosen) + "/comm");
    if (kill(chosen, SIGKILL) != 0) return true;
    ++killed_[name.substr(0, name.find('\n'))];
    return true;
  }

  /// Waits until the command has ended, and then until its other processes have. `slowest` becomes
  /// the longest time in seconds that those took. Returns how the command ended.
  CommandResult end(double& slowest) {
    const ExitStatus status = child_->wait();
    const Clock::time_point ended = Clock::now();
    for (int i = 0; i < 1000 && (!processes().empty() || !reaped()); ++i) nap(0.01);
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - ended).count());
    EXPECT_TRUE(processes().empty()) << "a process is alive after the end";
    EXPECT_TRUE(reaped()) << "a process that has lost its parents is alive";
    return {.exit_code = status.signal != 0 ? 128 + status.signal : status.code,
            .out = text_of(out_),
            .err = text_of(err_)};
  }

  const std::map<std::string, int>& killed() const { return killed_; }

 private:
  std::vector<pid_t> processes() const {
    std::vector<pid_t> found;
    const std::string wanted = std::string(kMarker) + "=" + mark_;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone)) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != name.npos) continue;
      if (text_of(entry.path() / "environ").find(wanted) != std::string::npos)
        found.push_back(std::stoi(name));  // leaves out zombies, which have no environment
    }
    return found;
  }
  /// Reaps processes whose parents died; they have become children of this process. Returns false
  /// while one is alive.
  static bool reaped() {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) continue;
    return ended < 0;
  }

  std::mt19937& chance_;
  std::string mark_, out_, err_;
  std::optional<Child> child_;
  std::map<std::string, int> killed_;
};

class Kills : public ::testing::Test {
 protected:
  void SetUp() override {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fs::remove(temporary_folder() + "/whole.db");
  }
  void TearDown() override {
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    int sum = 0;
    for (const auto& [name, count] : killed_) {
      std::printf("killed %3d of %s\n", count, name.c_str());
      sum += count;
    }
    std::printf("killed %d processes in %d sessions; all had ended %.2f s after their command\n",
                sum, sessions_, slowest_);
    EXPECT_GE(sum, kills_wanted()) << "the sessions were too short to be killed";
  }

  /// Runs a command and kills up to `most` of its processes at random. Afterwards `most` says how
  /// many more may be killed.
  CommandResult session(const Words& arguments, double mean_seconds, int& most) {
    KilledCommand command(arguments, chance_);
    while (most > 0 && command.kill_one(mean_seconds)) --most;
    CommandResult result = command.end(slowest_);
    ++sessions_;
    for (const auto& [name, count] : command.killed()) {
      killed_[name] += count;
    }
    return result;
  }

  /// Runs a command until its store is complete, with several kills for each store. The store and
  /// the counts must be those of the undisturbed run.
  void expect_resumed(const Words& arguments) {
    const auto run = [&](const std::string& store) {
      return joined(arguments, {"--out", store, "--json", "-", "--jobs", "2"});
    };
    const std::string whole = temporary_folder() + "/whole.db";
    const Clock::time_point began = Clock::now();
    const CommandResult undisturbed = run_upcast(run(whole));
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    ASSERT_LE(undisturbed.exit_code, 1) << undisturbed.err;
    const std::string digest = reports::RunStore::open(whole).content_digest();
    for (int left = kills_wanted(), round = 0; left > 0; ++round) {
      ASSERT_LT(round, 10 * kills_wanted()) << "nothing is there to be killed";
      const std::string store = temporary_folder() + "/killed-" + std::to_string(round) + ".db";
      int of_store = std::min(left, 8);
      left -= of_store;
      CommandResult result;
      do {
        result = session(run(store), seconds / 4, of_store);
        // Exit code 2 is right only if workers were killed so often that the run gave up. Then its
        // message names SIGKILL.
        EXPECT_TRUE(result.exit_code != 2 || holds(result.err, "SIGKILL")) << result.err;
      } while (result.exit_code == 128 + SIGKILL || result.exit_code == 2);
      left += of_store;
      ASSERT_EQ(result.exit_code, undisturbed.exit_code) << result.err;
      EXPECT_EQ(reports::RunStore::open(store).content_digest(), digest);
      for (const char* count :
           {"planned", "ran", "agree", "known", "unexplained", "crash", "timeout", "not_judged"})
        EXPECT_EQ(result.json().at(count), undisturbed.json().at(count)) << count;
      fs::remove(store);
    }
  }

  std::mt19937 chance_{std::random_device{}()};
  std::map<std::string, int> killed_;
  int sessions_ = 0;
  double slowest_ = 0;
};

const std::string kPlugin = "plugin:" UPCAST_BINARY_DIR "/plugins/libupcast_impl_plugin.so";

TEST_F(Kills, ASmokeRunIsResumedAsIfNothingHadHappened) {
  expect_resumed({"run", "--grid", "smoke", "--block", "64", "--subject", kPlugin, "--oracle",
                  "impl:cpu", "--known", write_file("none.toml", "")});
}

TEST_F(Kills, ARunOfOpsIsResumedAsIfNothingHadHappened) {
  expect_resumed({"run", "--grid", "ops", "--shard", "1/40", "--block", "256", "--subject",
                  "impl:cpu", "--oracle", kPlugin, "--known", write_file("none.toml", "")});
}

/// The names of the inputs in a corpus, a folder with subfolders.
std::set<std::string> inputs_of(const fs::path& folder) {
  std::set<std::string> inputs;
  std::error_code gone;
  for (const auto& entry : fs::recursive_directory_iterator(folder, gone))
    if (entry.is_regular_file(gone)) inputs.insert(entry.path().filename());
  return inputs;
}

TEST_F(Kills, ACampaignGoesOnWithAllThatItHadFound) {
  if (!fs::exists(UPCAST_BINARY_DIR "/bin/fuzz-notation"))
    GTEST_SKIP() << "this build found no libFuzzer (clang, libclang-rt-14-dev)";
  setenv("UPCAST_FUZZ_BIN", UPCAST_BINARY_DIR "/bin", 1);
  const std::string corpus = temporary_folder() + "/corpus";
  const Words campaign{"fuzz",   "--target", "notation", "--runs", "40000",
                       "--seed", "7",        "--corpus", corpus,   "--follow-up",
                       "0",      "--jobs",   "2",        "--json", "-"};
  int left = kills_wanted();
  while (left > 0) {
    int of_session = std::min(left, 8);
    left -= of_session;
    const CommandResult result = session(campaign, 0.4, of_session);
    left += of_session;
    // Exit code 3 means that the campaign gave up, because an engine was killed soon after each of
    // several starts.
    const int code = result.exit_code;
    EXPECT_TRUE(code == 0 || code == 2 || code == 3 || code == 128 + SIGKILL) << code << result.err;
  }
  // Inputs that were not merged are still in the folders. The last campaign must take them all.
  const std::string before = corpus + ".before";
  fs::create_directories(before);
  int count = 0;
  for (const fs::path folder : {corpus, corpus + ".log"}) {
    std::error_code gone;
    for (const auto& entry : fs::recursive_directory_iterator(folder, gone))
      if (entry.is_regular_file() &&
          (folder == corpus || entry.path().parent_path().filename().string().starts_with("job-")))
        fs::copy_file(entry.path(), before + "/" + std::to_string(count++));
  }
  int none = 0;
  const CommandResult result = session(campaign, 1, none);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.json().at("complete"));
  EXPECT_GE(result.json().at("cases"), 80000);
  EXPECT_TRUE(std::ranges::none_of(inputs_of(corpus + ".log"), [](const std::string& name) {
    return name.size() == 40;
  })) << "nothing is left to be merged";
  const auto inputs = inputs_of(corpus).size();
  EXPECT_GT(inputs, 100U);
  const CommandResult merged = run_program("fuzz-notation", {"-merge=1", corpus, before});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(inputs_of(corpus).size(), inputs) << "an input that a campaign had found is lost";
}

}  // namespace
}  // namespace upcast::tools::testing
