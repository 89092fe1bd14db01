#include "oracle/host/supervisor.h"

#include <algorithm>
#include <chrono>
#include <csignal>

#include "impl/core/error.h"
#include "oracle/host/wire.h"
#include "oracle/process/shared_memory.h"

namespace upcast {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTick = 0.1;  // seconds
/// The time limit for a worker's start, in seconds. LibTorch takes half a second to load from
/// memory, and far longer from a cold network disk.
constexpr double kLoadLimit = 300;
/// The judge may take this many times the time limit of a side. The judge is our own code and
/// always ends, but the truth of many elements takes long on a busy machine.
constexpr double kJudgePatience = 30;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

}  // namespace

struct Supervisor::Slot {
  /// A worker with its journal.
  struct Worker {
    Worker(const std::string& program, int setup)
        : process({.command = {program, "--setup", std::to_string(setup), "--journal",
                               std::to_string(journal.fd())},
                   .descriptors = {setup, journal.fd()},
                   .talk = Talk::kSocket,
                   .keeps_errors = true}) {}

    Journal journal;
    wire::FrameChild process;
  };

  enum class State : std::uint8_t { kLoading, kIdle, kBusy };

  std::optional<Worker> worker;
  State state = State::kLoading;
  Work work;          // what the worker runs in state kBusy
  JournalEntry seen;  // the journal's last entry that was new, first seen at seen_since
  Clock::time_point seen_since;
};

Supervisor::Supervisor(SupervisorOptions options) : options_(std::move(options)) {
  options_.setup.time_limit = options_.time_limit;
  setup_ = memory_file(wire::encode(options_.setup));
  const std::int64_t blocks = (options_.planned + options_.block_size - 1) / options_.block_size;
  const auto workers = std::clamp<std::int64_t>(blocks, 1, std::max(options_.jobs, 1));
  for (std::int64_t i = 0; i < workers; ++i) {
    slots_.push_back(std::make_unique<Slot>());
    start(*slots_.back());
  }
}

Supervisor::~Supervisor() = default;

void Supervisor::start(Slot& slot) {
  slot.worker.emplace(options_.worker, setup_.get());
  slot.state = Slot::State::kLoading;
  slot.seen = {};
  slot.seen_since = Clock::now();
}

const WorkerHello& Supervisor::hello() {
  while (!greeted_) watch(kTick);
  return hello_;
}

Supervisor::Work Supervisor::work(std::int64_t block) const {
  const std::int64_t first = block * options_.block_size;
  const std::int64_t count = std::min(options_.block_size, options_.planned - first);
  return {{block, first, count, options_.record_all, {}}, {}};
}

RunEnd Supervisor::run(const std::vector<std::int64_t>& blocks, const Calls& calls) {
  for (auto id = blocks.rbegin(); id != blocks.rend(); ++id) waiting_.push_back(work(*id));
  hello();
  std::size_t left = blocks.size();
  Clock::time_point ticked;
  while (left > 0) {
    if (calls.stop && calls.stop()) return RunEnd::kStopped;
    for (auto& slot : slots_) give_work(*slot);
    watch(kTick);
    left -= done_.size();
    for (BlockResult& result : done_) calls.block(std::move(result));
    done_.clear();
    if (deaths_ >= options_.max_deaths) return RunEnd::kTooManyDeaths;
    if (calls.tick && seconds_since(ticked) >= kTick) {
      calls.tick();
      ticked = Clock::now();
    }
  }
  return RunEnd::kDone;
}

void Supervisor::give_work(Slot& slot) {
  if (slot.state != Slot::State::kIdle || waiting_.empty()) return;
  slot.work = std::move(waiting_.back());
  waiting_.pop_back();
  slot.state = Slot::State::kBusy;
  slot.seen = {};
  slot.seen_since = Clock::now();
  // sending may fail if the worker has ended, which the next wait notices
  slot.worker->process.send(wire::encode(slot.work.request));
}

void Supervisor::watch(double seconds) {
  std::vector<Child*> workers;
  for (const auto& slot : slots_) workers.push_back(&slot->worker->process);
  wait_for_any(workers, seconds);
  for (const auto& slot : slots_) {
    take_frames(*slot);  // first takes what the worker sent before it died
    if (!slot->worker->process.is_open() || is_silent(*slot)) replace(*slot);
  }
}

void Supervisor::take_frames(Slot& slot) {
  while (const auto frame = slot.worker->process.next()) {
    if (slot.state == Slot::State::kLoading) {
      take_hello(slot, *frame);
      continue;
    }
    BlockResult result = wire::decode_result(*frame);
    check(slot.state == Slot::State::kBusy && result.id == slot.work.request.id &&
              result.count == slot.work.request.count,
          "a worker answers the block that it was given");
    deaths_ += result.deaths;
    done_.push_back(std::move(result));
    slot.state = Slot::State::kIdle;
    deaths_without_a_case_ = 0;
  }
}

void Supervisor::take_hello(Slot& slot, const std::string& frame) {
  WorkerHello hello = wire::decode_hello(frame);
  if (!hello.error.empty()) throw UsageError(hello.error);
  if (!options_.plan_digest.empty()) check_plan(hello.plan_digest);
  if (greeted_ && hello.plan_digest != hello_.plan_digest)
    throw UsageError(
        "two workers plan different cases: the subject's manifest is not always the same");
  if (!greeted_) hello_ = std::move(hello);
  greeted_ = true;
  slot.state = Slot::State::kIdle;
}

void Supervisor::check_plan(const std::string& digest) const {
  if (digest == options_.plan_digest) return;
  throw UsageError(options_.worker +
                   " plans other cases for the same grid: it is of another build; build upcast and "
                   "upcast-worker together");
}

void Supervisor::follow(std::string plan_digest, std::int64_t planned) {
  options_.plan_digest = std::move(plan_digest);
  options_.planned = planned;
  check_plan(hello().plan_digest);
}

bool Supervisor::is_silent(Slot& slot) {
  if (slot.state == Slot::State::kIdle) return false;
  const JournalEntry now = slot.worker->journal.read();
  if (now != slot.seen) {
    slot.seen = now;
    slot.seen_since = Clock::now();
    return false;
  }
  const double patience = now.side == Actor::kJudge ? kJudgePatience : 1;
  const double limit =
      slot.state == Slot::State::kLoading ? kLoadLimit : patience * options_.time_limit;
  return seconds_since(slot.seen_since) >= limit;
}

void Supervisor::replace(Slot& slot) {
  ++deaths_;
  const ExitStatus status = slot.worker->process.end_after_silence();
  const std::string words = slot.worker->process.last_words(1);
  const std::string cause =
      status.timed_out ? "killed, because it did not answer in time" : status.text();
  const bool may_start = !status.timed_out && status.from_outside();
  if (slot.state == Slot::State::kLoading && !may_start) {
    throw UsageError("upcast-worker cannot start (" + cause + ")" +
                     (words.empty() ? "" : ": " + words));
  }
  const bool busy = slot.state == Slot::State::kBusy;
  Work work = std::move(slot.work);
  if (!busy || !was_over_a_case(work, slot, status, words)) ++deaths_without_a_case_;
  if (deaths_without_a_case_ >= 3) {
    throw UsageError("upcast-worker died three times while it ran no case (" + cause + ")" +
                     (words.empty() ? "" : ": " + words));
  }
  start(slot);
  if (busy) waiting_.push_back(std::move(work));
}

bool Supervisor::was_over_a_case(Work& work, const Slot& slot, const ExitStatus& status,
                                 const std::string& words) {
  const bool silent = status.timed_out;
  const JournalEntry at = slot.worker->journal.read();
  if (at.side == Actor::kNone) return false;
  // The worker had gone on to another entry of its journal before it was killed: no case is to
  // blame.
  if (silent && at != slot.seen) return true;
  if (!silent && status.from_outside()) {
    work.kills = work.killed_at.same_place(at) ? work.kills + 1 : 1;
    work.killed_at = at;
    if (work.kills < kKillsOfACase) return true;
  }
  // Only the text of an abort names the cause. After other deaths, the worker's last text may be
  // about an earlier case.
  const std::string why = !silent && status.signal == SIGABRT ? words : "";
  work.request.dead.push_back({at.case_index, at.side, silent, status.text(), why});
  return true;
}

}  // namespace upcast
