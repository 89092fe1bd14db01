// The journal: one shared page in which a worker says what it is about to do, so that its death or
// silence is blamed on one case and one side.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "oracle/process/shared_memory.h"

namespace upcast {

/// The code that is at work on a case.
enum class Actor : std::uint8_t {
  kNone,  // no case is at work
  kSubject,
  kOracle,
  kJudge  // our own code: making the case's values, the comparison, the record
};

constexpr std::string_view name(Actor side) {
  constexpr std::string_view kNames[] = {"none", "subject", "oracle", "judge"};
  return kNames[static_cast<int>(side)];
}

struct JournalEntry {
  std::int64_t case_index = 0;  // the case at work; meaningless if side is kNone
  Actor side = Actor::kNone;
  // Flips while a side waits for another process, to show that the worker is not stuck.
  bool beat = false;

  bool operator==(const JournalEntry&) const = default;
  bool same_place(const JournalEntry& other) const {
    return case_index == other.case_index && side == other.side;
  }
};

/// A page mapped MAP_SHARED by worker and supervisor. One 64-bit word holds the entry, so a reader
/// never sees half of one, and a write is one plain store. The entry holds no time. The supervisor
/// notes by its own clock how long it has seen the same entry, so that the worker need not read a
/// clock for each case.
class Journal {
 public:
  /// A new page that child processes may map.
  Journal() : memory_(kBytes) {}
  /// Maps the page that another process made. Throws UsageError if `fd` is no such page.
  explicit Journal(int fd) : memory_(fd, kBytes) {}

  int fd() const { return memory_.fd(); }

  void enter(std::int64_t case_index, Actor side) {
    word_->store(
        static_cast<std::uint64_t>(case_index) << kPlaceShift | static_cast<std::uint64_t>(side),
        std::memory_order_relaxed);
  }
  void leave() { word_->store(0, std::memory_order_relaxed); }
  /// Says that the worker is still at work on the same entry. To the supervisor that is a sign of
  /// life, as a new entry is.
  void beat() {
    word_->store(word_->load(std::memory_order_relaxed) ^ kBeat, std::memory_order_relaxed);
  }

  JournalEntry read() const {
    const std::uint64_t word = word_->load(std::memory_order_relaxed);
    return {static_cast<std::int64_t>(word >> kPlaceShift), static_cast<Actor>(word & 3),
            (word & kBeat) != 0};
  }

 private:
  static constexpr int kPlaceShift = 3;
  static constexpr std::uint64_t kBeat = 4;
  static constexpr std::size_t kBytes = sizeof(std::uint64_t);

  SharedMemory memory_;
  std::atomic<std::uint64_t>* word_ = reinterpret_cast<std::atomic<std::uint64_t>*>(memory_.data());
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace upcast
