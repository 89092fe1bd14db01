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
  std::string plan_digest;   // every worker must make this plan; "": follow() names it
  std::int64_t planned = 0;  // cases of the plan; before follow(): the most
  std::int64_t block_size = 4096;
  int jobs = 1;
  double time_limit = 10;  // seconds that one side may take for one case
  int max_deaths = 1000;   // then the run ends: the sides are not worth the wait
  bool record_all = false;
};

/// Why run() returned.
enum class RunEnd : std::uint8_t {
  kDone,
  kStopped,       // stop() said so
  kTooManyDeaths  // the workers died max_deaths times
};

/// Workers are started by the constructor, so that they load while the caller does other things.
///
/// A worker that dies or stays silent over a case: the journal names the case and the side, that
/// side of that case is dead, a new worker runs the whole block again without asking it. Each death
/// takes one of a finite number of (case, side) pairs away, so a block ends however often it kills.
/// A death that a signal from outside caused (SIGKILL, SIGTERM, ...) only counts against a case
/// when it happens twice at the same place; deaths outside of all cases, those of a worker that was
/// killed while it started among them, end the run when three follow one another.
class Supervisor {
 public:
  explicit Supervisor(SupervisorOptions options);
  ~Supervisor();

  /// Waits for the first worker to be ready. Throws UsageError with the worker's message if it is
  /// not.
  const WorkerHello& hello();

  /// Names the plan that the workers must make, if it depends on their hello. Throws UsageError if
  /// they make another.
  void follow(std::string plan_digest, std::int64_t planned);

  struct Calls {
    std::function<void(BlockResult&&)> block;  // in the order in which blocks end
    std::function<void()> tick;                // about ten times a second
    std::function<bool()> stop;
  };
  /// Runs the blocks with these ids. Throws UsageError where workers cannot be kept alive, and
  /// passes on what the calls throw.
  RunEnd run(const std::vector<std::int64_t>& blocks, const Calls& calls);

  int deaths() const { return deaths_; }

 private:
  struct Slot;
  struct Work {
    BlockRequest request;
    JournalEntry killed_at;  // where a signal from outside ended the worker last time
  };

  void start(Slot& slot);
  void give_work(Slot& slot);
  void watch(double seconds);
  void take_frames(Slot& slot);
  void take_hello(Slot& slot, const std::string& frame);
  void check_plan(const std::string& digest) const;
  /// Whether the worker has been at the same place of the journal for too long.
  bool is_silent(Slot& slot);
  /// Replaces a worker that ended or is silent: ends it, marks the case at fault, if there is one,
  /// and starts another worker.
  void replace(Slot& slot);
  /// Marks the side that the journal names as dead. Returns false if no case is to blame.
  static bool blame(Work& work, const Slot& slot, const ExitStatus& status,
                    const std::string& words);
  Work work(std::int64_t block) const;

  SupervisorOptions options_;
  Descriptor setup_;  // the setup, as a file in memory
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Work> waiting_;  // a stack; the next piece of work is last
  std::vector<BlockResult> done_;
  WorkerHello hello_;
  bool greeted_ = false;
  int deaths_ = 0;
  int deaths_without_a_case_ = 0;  // deaths since the last block that ended
};

}  // namespace upcast
