// The supervisor: gives blocks of cases to worker processes, and turns a worker's death or silence
// into the verdict of one case.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oracle/host/block.h"
#include "oracle/process/child.h"

namespace upcast {

struct SupervisorOptions {
  std::string worker;  // path of the upcast-worker program
  WorkerSetup setup;
  // Digest of the plan that each worker must make; "": follow() gives it later.
  std::string plan_digest;
  std::int64_t planned = 0;  // number of cases of the plan; until follow(), an upper bound
  std::int64_t block_size = 4096;
  int jobs = 1;
  double time_limit = 10;  // seconds that one side may take for one case
  int max_deaths = 1000;   // deaths after which the run ends, since each costs time
  bool record_all = false;
};

/// Why run() returned.
enum class RunEnd : std::uint8_t {
  kDone,
  kStopped,       // the caller's stop() returned true
  kTooManyDeaths  // workers died max_deaths times
};

/// Keeps workers running over blocks of cases. The constructor starts them, so that they load while
/// the caller does other things.
///
/// If a worker dies or stays silent over a case, the journal names the case and the side. That side
/// counts as dead for that case. A new worker runs the whole block again without asking it. Each
/// such death uses up one of finitely many pairs (case, side). A signal from outside (SIGKILL,
/// SIGTERM, ...) counts against a case only if it comes kKillsOfACase times in a row at the same
/// place. Signals that come at ever new places end the run at max_deaths. Deaths outside of all
/// cases, such as a kill during the start, end it when three follow one another.
class Supervisor {
 public:
  explicit Supervisor(SupervisorOptions options);
  ~Supervisor();

  /// Waits for the first worker to be ready. Throws UsageError with the worker's message if it is
  /// not.
  const WorkerHello& hello();

  /// Gives the plan that the workers must make, if it depends on their hello. Throws UsageError if
  /// they make another plan.
  void follow(std::string plan_digest, std::int64_t planned);

  struct Calls {
    // Called with each block's result, in the order in which blocks end.
    std::function<void(BlockResult&&)> block;
    std::function<void()> tick;  // called about ten times a second
    std::function<bool()> stop;
  };
  /// Runs the blocks with these ids. Throws UsageError if workers cannot be kept alive, and
  /// whatever `calls` throw.
  RunEnd run(const std::vector<std::int64_t>& blocks, const Calls& calls);

  int deaths() const { return deaths_; }

 private:
  struct Slot;
  struct Work {
    BlockRequest request;
    JournalEntry killed_at;  // the place at which a signal from outside ended the worker last time
    int kills = 0;           // how often in a row it did so there
  };

  void start(Slot& slot);
  void give_work(Slot& slot);
  void watch(double seconds);
  void take_frames(Slot& slot);
  void take_hello(Slot& slot, const std::string& frame);
  void check_plan(const std::string& digest) const;
  /// Whether the worker has been at the same entry of the journal for longer than its limit.
  bool is_silent(Slot& slot);
  /// Replaces a worker that ended or is silent: ends it, marks the case at fault, if there is one,
  /// and starts another worker.
  void replace(Slot& slot);
  /// Whether the worker died over a case, which the journal names. If that case is to blame, marks
  /// its side as dead.
  static bool was_over_a_case(Work& work, const Slot& slot, const ExitStatus& status,
                              const std::string& words);
  Work work(std::int64_t block) const;

  SupervisorOptions options_;
  Descriptor setup_;  // the setup, as a file in memory
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Work> waiting_;  // work that no worker does yet; a stack, whose last element is next
  std::vector<BlockResult> done_;
  WorkerHello hello_;
  bool greeted_ = false;
  int deaths_ = 0;
  int deaths_without_a_case_ = 0;  // deaths outside of all cases since the last block that ended
};

}  // namespace upcast
