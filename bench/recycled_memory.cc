#include "bench/recycled_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

namespace upcast::bench {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSmallest = std::size_t{1} << 16;  // malloc serves smaller blocks

class RecycledMemory : public Memory {
 public:
  std::byte* allocate(std::size_t size) override {
    if (size < kSmallest) return static_cast<std::byte*>(aligned(64, size));
    const std::lock_guard lock(mutex_);
    std::vector<std::byte*>& waiting = free_[size];
    if (waiting.empty()) waiting.push_back(fresh(size));
    std::byte* const block = waiting.back();
    waiting.pop_back();
    sizes_[block] = size;
    return block;
  }
  void free(std::byte* bytes, std::size_t) override { give_back(bytes); }
  void read(const std::byte* from, std::span<std::byte> to) override {
    if (!to.empty()) std::memcpy(to.data(), from, to.size());
  }
  void write(std::span<const std::byte> from, std::byte* to) override {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
  }

  void give_back(std::byte* bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(bytes);
    if (found == sizes_.end()) {
      std::free(bytes);
      return;
    }
    free_[found->second].push_back(bytes);
    sizes_.erase(found);
  }

  void give_back_freed() {
    const std::lock_guard lock(mutex_);
    for (const auto& [size, blocks] : free_)
      for (std::byte* const block : blocks) {
        // std::free alone keeps the pages of blocks up to 32 MiB.
        madvise(block, size, MADV_DONTNEED);
        std::free(block);
      }
    free_.clear();
  }

 private:
  static void* aligned(std::size_t alignment, std::size_t size) {
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
    void* const block = std::aligned_alloc(alignment, rounded);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  static std::byte* fresh(std::size_t size) {
    void* const block = aligned(kHugePage, size);
    madvise(block, size, MADV_HUGEPAGE);  // a hint, which the system may ignore
    std::memset(block, 0, size);
    return static_cast<std::byte*>(block);
  }

  std::mutex mutex_;
  std::unordered_map<std::byte*, std::size_t> sizes_;  // the size of each block in use
  std::unordered_map<std::size_t, std::vector<std::byte*>> free_;
};

RecycledMemory& the_memory() {
  static RecycledMemory memory;
  return memory;
}

struct RecyclingAllocator final : c10::Allocator {
  c10::DataPtr allocate(std::size_t size) override {
    void* const block = size == 0 ? nullptr : the_memory().allocate(size);
    return {block, block, &give_back, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    std::memcpy(to, from, size);
  }

 private:
  static void give_back(void* block) {
    if (block != nullptr) the_memory().give_back(static_cast<std::byte*>(block));
  }
};

}  // namespace

Memory& recycled_memory() { return the_memory(); }

void give_back_recycled_memory() { the_memory().give_back_freed(); }

void recycle_memory_of_libtorch() {
  static RecyclingAllocator allocator;
  c10::SetCPUAllocator(&allocator, /*priority=*/100);
}

}  // namespace upcast::bench
