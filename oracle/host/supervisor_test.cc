#include "oracle/host/supervisor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "impl/core/temporary_folder.h"
#include "oracle/host/plan_digest.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/testing/usage_error.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

const char* const kWorker = UPCAST_BINARY_DIR "/bin/upcast-test-worker";
constexpr int kBlockSize = 16;

SupervisorOptions options_of(const std::string& subject, const std::string& oracle, int cases,
                             int jobs = 2) {
  SupervisorOptions options;
  options.worker = kWorker;
  options.setup = {subject, oracle, "", testing::seeded_lines(cases), "", ""};
  options.plan_digest = plan_digest(testing::plan_of_lines(options.setup.lines));
  options.planned = cases;
  options.block_size = kBlockSize;
  options.jobs = jobs;
  return options;
}

std::vector<std::int64_t> all_blocks(const SupervisorOptions& options) {
  std::vector<std::int64_t> ids;
  for (std::int64_t id = 0; id * options.block_size < options.planned; ++id) ids.push_back(id);
  return ids;
}

struct Outcome {
  RunEnd end = RunEnd::kDone;
  int deaths = 0;
  std::map<std::int64_t, VerdictCode> verdicts;  // by case
  std::map<std::int64_t, CaseRecord> records;

  /// The numbers of the cases whose verdict is not agree.
  std::vector<std::int64_t> notable() const {
    std::vector<std::int64_t> found;
    for (const auto& [index, verdict] : verdicts)
      if (verdict != VerdictCode::kAgree) found.push_back(index);
    return found;
  }
};

Outcome supervise(const SupervisorOptions& options) {
  Supervisor supervisor(options);
  Outcome outcome;
  outcome.end =
      supervisor.run(all_blocks(options),
                     {.block =
                          [&](BlockResult&& block) {
                            for (std::int64_t i = 0; i < block.count; ++i) {
                              const auto code = block.verdict.at(static_cast<std::size_t>(i));
                              EXPECT_TRUE(outcome.verdicts.emplace(block.first + i, code).second)
                                  << "a case ran twice";
                            }
                            for (const CaseRecord& record : block.records)
                              outcome.records[record.case_index] = record;
                          },
                      .tick = {},
                      .stop = {}});
  outcome.deaths = supervisor.deaths();
  return outcome;
}

using Indices = std::vector<std::int64_t>;

TEST(Supervisor, RunsEveryCaseOnce) {
  for (const int jobs : {1, 2, 5}) {
    const Outcome outcome = supervise(options_of("test:right", "test:right", 1000, jobs));
    EXPECT_EQ(outcome.end, RunEnd::kDone);
    EXPECT_EQ(outcome.verdicts.size(), 1000U);
    EXPECT_EQ(outcome.notable(), Indices{});
    EXPECT_EQ(outcome.deaths, 0);
  }
}

TEST(Supervisor, DifferencesComeThrough) {
  const Outcome outcome = supervise(options_of("test:wrong?7", "test:refuse?99", 100));
  EXPECT_EQ(outcome.notable(), (Indices{7, 99}));
  EXPECT_EQ(outcome.verdicts.at(7), VerdictCode::kDifferValue);
  EXPECT_EQ(outcome.verdicts.at(99), VerdictCode::kDifferAccepts);
}

TEST(Supervisor, CrashIsTheVerdictOfOneCase) {
  const Outcome outcome = supervise(options_of("test:right", "test:crash?0,5,6,7,90", 100));
  EXPECT_EQ(outcome.notable(), (Indices{0, 5, 6, 7, 90}));
  EXPECT_EQ(outcome.deaths, 5);
  for (const auto& [index, record] : outcome.records) {
    EXPECT_EQ(record.verdict.code, VerdictCode::kCrash);
    EXPECT_EQ(record.oracle, "crash(SIGFPE)");
    EXPECT_EQ(record.subject, "float32[1]{" + std::to_string(index) + "}");
  }
}

TEST(Supervisor, CaseThatKillsBothSidesEnds) {
  const Outcome outcome = supervise(options_of("test:crash?3", "test:exit?3", 40));
  EXPECT_EQ(outcome.notable(), Indices{3});
  EXPECT_EQ(outcome.deaths, 2);
  EXPECT_EQ(sentence(outcome.records.at(3).verdict),
            "subject: crash(SIGFPE); oracle: crash(exit 3)");
}

TEST(Supervisor, AbortKeepsItsReason) {
  const Outcome outcome = supervise(options_of("test:abort?3", "test:right", 40));
  EXPECT_EQ(outcome.records.at(3).subject, "crash(SIGABRT)");
  EXPECT_EQ(sentence(outcome.records.at(3).verdict),
            "subject: crash(SIGABRT), the reason of the abort");
}

TEST(Supervisor, SilenceIsATimeout) {
  SupervisorOptions options = options_of("test:hang?2,50", "test:right", 60);
  options.time_limit = 0.3;
  const Outcome outcome = supervise(options);
  EXPECT_EQ(outcome.notable(), (Indices{2, 50}));
  EXPECT_EQ(outcome.verdicts.at(50), VerdictCode::kTimeout);
  EXPECT_EQ(outcome.records.at(50).subject, "timeout");
}

TEST(Supervisor, SlownessBelowTheLimitIsNoTimeout) {
  SupervisorOptions options = options_of("test:slow?1,2,3", "test:right", 10);
  options.time_limit = 5;
  EXPECT_EQ(supervise(options).notable(), Indices{});
}

TEST(Supervisor, PrintingLibraryDoesNotHarmTheProtocol) {
  EXPECT_EQ(supervise(options_of("test:print", "test:right", 100)).notable(), Indices{});
}

TEST(Supervisor, KillFromOutsideIsNoVerdict) {
  const std::string file = ::testing::TempDir() + "upcast-die-once";
  std::filesystem::remove(file);
  const Outcome outcome = supervise(options_of("test:die-once?" + file, "test:right", 100, 1));
  EXPECT_EQ(outcome.notable(), Indices{});
  EXPECT_EQ(outcome.deaths, 1);
  EXPECT_TRUE(std::filesystem::remove(file));
}

TEST(Supervisor, CaseThatGetsItselfKilledIsACrash) {
  const Outcome outcome = supervise(options_of("test:kill?20", "test:right", 100));
  EXPECT_EQ(outcome.notable(), Indices{20});
  EXPECT_EQ(outcome.records.at(20).subject, "crash(SIGKILL)");
}

TEST(Supervisor, CasesOfOneBlockThatGetThemselvesKilledDoNotEndTheRun) {
  const Outcome outcome = supervise(options_of("test:kill?20,21,22,23", "test:right", 100, 1));
  EXPECT_EQ(outcome.end, RunEnd::kDone);
  EXPECT_EQ(outcome.notable(), (Indices{20, 21, 22, 23}));
  EXPECT_EQ(outcome.deaths, 4 * kKillsOfACase);
}

TEST(Supervisor, HopelessSubjectEndsTheRun) {
  SupervisorOptions options = options_of("test:exit", "test:right", 100);
  options.max_deaths = 20;
  EXPECT_EQ(supervise(options).end, RunEnd::kTooManyDeaths);
}

/// Runs and returns the text of the UsageError that ends the run.
std::string usage_error(const SupervisorOptions& options) {
  return usage_error_of([&] { supervise(options); });
}

TEST(Supervisor, WorkerThatCannotStartIsAUsageErrorWithItsLastWords) {
  setenv("UPCAST_TEST_CANNOT_START", "1", 1);
  const std::string message = usage_error(options_of("test:right", "test:right", 10));
  unsetenv("UPCAST_TEST_CANNOT_START");
  EXPECT_EQ(message,
            "upcast-worker cannot start (crash(exit 127)): error while loading shared libraries: "
            "libnone.so");
}

TEST(Supervisor, WorkerThatIsKilledWhileItStartsIsStartedAgain) {
  const TemporaryFolder folder;
  const std::string file = folder / "kills";
  const auto with_kills = [&](int kills, const auto& supervised) {
    std::ofstream(file) << std::string(static_cast<std::size_t>(kills), 'x');
    setenv("UPCAST_TEST_KILLED_AT_START", file.c_str(), 1);
    supervised();
    unsetenv("UPCAST_TEST_KILLED_AT_START");
  };
  const SupervisorOptions options = options_of("test:right", "test:right", 100, 1);
  with_kills(2, [&] {
    const Outcome outcome = supervise(options);
    EXPECT_EQ(outcome.verdicts.size(), 100U);
    EXPECT_EQ(outcome.notable(), Indices{});
    EXPECT_EQ(outcome.deaths, 2);
  });
  with_kills(1000, [&] {
    EXPECT_EQ(usage_error(options),
              "upcast-worker died three times while it ran no case (crash(SIGKILL))");
  });
}

TEST(Supervisor, MissingProgramIsAUsageError) {
  SupervisorOptions options = options_of("test:right", "test:right", 10);
  options.worker = "/nowhere/upcast-worker";
  EXPECT_NE(usage_error(options).find("/nowhere/upcast-worker: No such file"), std::string::npos);
}

TEST(Supervisor, UnknownSubjectIsAUsageError) {
  EXPECT_NE(usage_error(options_of("test:none", "test:right", 10)).find("test:none"),
            std::string::npos);
}

TEST(Supervisor, WorkerWithAnotherPlanIsAUsageError) {
  SupervisorOptions options = options_of("test:right", "test:right", 10);
  options.plan_digest[0] ^= 1;
  EXPECT_NE(usage_error(options).find("another build"), std::string::npos);
}

// The part of a grid that is run depends on the subject's claim, which its worker sends in its
// hello.
TEST(Supervisor, ThePlanMayBeNamedAfterTheHello) {
  SupervisorOptions options = options_of("test:right", "test:right", 40);
  const std::string digest = std::exchange(options.plan_digest, "");
  Supervisor supervisor(options);
  EXPECT_EQ(supervisor.hello().claim, "{}");
  supervisor.follow(digest, 40);
  int cases = 0;
  const RunEnd end =
      supervisor.run(all_blocks(options),
                     {.block = [&](BlockResult&& block) { cases += static_cast<int>(block.count); },
                      .tick = {},
                      .stop = {}});
  EXPECT_EQ(end, RunEnd::kDone);
  EXPECT_EQ(cases, 40);
  EXPECT_THROW(Supervisor(options).follow("another", 40), UsageError);
}

TEST(Supervisor, StopsWhenToldTo) {
  const SupervisorOptions options = options_of("test:right", "test:right", 1000);
  Supervisor supervisor(options);
  int blocks = 0;
  const RunEnd end = supervisor.run(
      all_blocks(options),
      {.block = [&](BlockResult&&) { ++blocks; }, .tick = {}, .stop = [&] { return blocks >= 3; }});
  EXPECT_EQ(end, RunEnd::kStopped);
  EXPECT_LT(blocks, 10);
}

Indices children_of(pid_t parent) {
  Indices found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string pid, command, state, parent_pid;
    if (file >> pid >> command >> state >> parent_pid && parent_pid == std::to_string(parent)) {
      found.push_back(std::stoll(pid));
    }
  }
  return found;
}

TEST(Supervisor, WorkersDieWithIt) {
  Child child(
      {.body = [](int) { return supervise(options_of("test:hang", "test:right", 100)), 0; }});
  Indices workers;
  while (workers.size() < 2) {
    workers = children_of(child.pid());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  child.end(0);
  // The workers' parent is dead, so init collects their exit codes. A dead worker has no file in
  // /proc, or state Z (zombie).
  const auto alive = [](std::int64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, command, state;
    return file >> number >> command >> state && state != "Z" && state != "X";
  };
  for (const std::int64_t worker : workers) {
    for (int i = 0; i < 200 && alive(worker); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_FALSE(alive(worker)) << worker;
  }
}

}  // namespace
}  // namespace upcast
