// The memories that storages lie in: the host's or a device's.
#pragma once

#include <cstddef>
#include <span>

namespace upcast {

/// A memory that allocates the bytes of storages. It must outlive the storages.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Allocates uninitialised bytes. Throws std::bad_alloc.
  virtual std::byte* allocate(std::size_t size) = 0;
  virtual void free(std::byte* bytes, std::size_t size) = 0;
  /// Copy between this memory and the host's. read() waits until the device has finished its
  /// pending work.
  virtual void read(const std::byte* from, std::span<std::byte> to) = 0;
  virtual void write(std::span<const std::byte> from, std::byte* to) = 0;
};

/// The host's memory. Large blocks use huge pages, if the system has them. With small pages, a
/// result that is written once would cost more in page faults than in arithmetic.
Memory& host_memory();

}  // namespace upcast
