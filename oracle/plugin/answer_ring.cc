#include "oracle/plugin/answer_ring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <ctime>

namespace upcast {
namespace {

constexpr std::size_t kCapacity = std::size_t{1} << 20;
/// The writer wakes a sleeping reader only when this many bytes are there to read, because waking
/// costs a system call.
constexpr std::uint64_t kBatch = std::uint64_t{64} << 10;
constexpr std::uint64_t kMaxMessage = std::uint64_t{16} << 30;

/// The head of a message in the ring. Its mark tells a message from bytes that something else
/// wrote.
struct Head {
  std::uint64_t size = 0;
  std::uint64_t mark = 0;
};

/// The mark of the message with this number.
constexpr std::uint64_t mark_of(std::uint64_t number) { return (number + 1) * 0x9E3779B97F4A7C15U; }

void nap() {
  const timespec time{0, 500'000};
  nanosleep(&time, nullptr);
}

}  // namespace

/// The shared memory of the ring. Positions count bytes since the start. Each lies on a cache line
/// of its own, so that writer and reader do not slow each other down.
struct AnswerRing::Shared {
  alignas(64) std::atomic<std::uint64_t> written{0};
  alignas(64) std::atomic<std::uint64_t> read{0};
  alignas(64) std::atomic<std::uint32_t> sleeps{0};
  alignas(64) std::array<char, kCapacity> bytes;
};

AnswerRing::AnswerRing()
    : memory_(sizeof(Shared)), shared_(reinterpret_cast<Shared*>(memory_.data())) {}

AnswerRing::AnswerRing(int fd)
    : memory_(fd, sizeof(Shared)), shared_(reinterpret_cast<Shared*>(memory_.data())) {}

void AnswerRing::put(const void* from, std::size_t size, std::uint64_t& at,
                     const std::function<void()>& wake) {
  const char* bytes = static_cast<const char*>(from);
  while (size > 0) {
    const std::uint64_t room = kCapacity - (at - shared_->read.load(std::memory_order_acquire));
    if (room == 0) {
      shared_->written.store(at, std::memory_order_seq_cst);
      flush(wake);
      nap();
      continue;
    }
    const std::size_t place = at % kCapacity;
    const std::size_t piece = std::min({size, static_cast<std::size_t>(room), kCapacity - place});
    std::memcpy(shared_->bytes.data() + place, bytes, piece);
    at += piece;
    bytes += piece;
    size -= piece;
  }
}

void AnswerRing::write(std::string_view message, const std::function<void()>& wake) {
  const Head head{message.size(), mark_of(count_++)};
  std::uint64_t at = shared_->written.load(std::memory_order_relaxed);
  put(&head, sizeof head, at, wake);
  put(message.data(), message.size(), at, wake);
  shared_->written.store(at, std::memory_order_seq_cst);
  if (at - flushed_ >= kBatch) flush(wake);
}

void AnswerRing::flush(const std::function<void()>& wake) {
  flushed_ = shared_->written.load(std::memory_order_relaxed);
  if (shared_->sleeps.exchange(0, std::memory_order_seq_cst) != 0) wake();
}

bool AnswerRing::take() {
  const std::uint64_t from = shared_->read.load(std::memory_order_relaxed);
  const std::uint64_t to = shared_->written.load(std::memory_order_seq_cst);
  if (from == to) return false;
  if (to - from > kCapacity) throw DamagedRing();
  taken_.erase(0, next_);
  next_ = 0;
  const std::size_t size = to - from;
  const std::size_t place = from % kCapacity;
  const std::size_t piece = std::min(size, kCapacity - place);
  taken_.append(shared_->bytes.data() + place, piece);
  taken_.append(shared_->bytes.data(), size - piece);
  shared_->read.store(to, std::memory_order_release);
  return true;
}

bool AnswerRing::read(std::string_view& message) {
  for (;;) {
    Head head;
    const std::size_t left = taken_.size() - next_;
    if (left >= sizeof head) {
      std::memcpy(&head, taken_.data() + next_, sizeof head);
      if (head.mark != mark_of(count_) || head.size > kMaxMessage) throw DamagedRing();
      if (left - sizeof head >= head.size) {
        message = std::string_view(taken_).substr(next_ + sizeof head, head.size);
        next_ += sizeof head + head.size;
        ++count_;
        return true;
      }
    }
    if (!take()) return false;
  }
}

bool AnswerRing::may_sleep() {
  shared_->sleeps.store(1, std::memory_order_seq_cst);
  return shared_->written.load(std::memory_order_seq_cst) ==
         shared_->read.load(std::memory_order_relaxed);
}

}  // namespace upcast
