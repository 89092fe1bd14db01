// Where storages live: on the host or on a device.
#pragma once

#include <cstddef>
#include <span>

namespace upcast {

/// A memory must outlive the storages made from it.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Allocates uninitialised bytes. Throws std::bad_alloc.
  virtual std::byte* allocate(std::size_t size) = 0;
  virtual void free(std::byte* bytes, std::size_t size) = 0;
  /// Copies to and from the host. A read waits for the work that the device still has to do.
  virtual void read(const std::byte* from, std::span<std::byte> to) = 0;
  virtual void write(std::span<const std::byte> from, std::byte* to) = 0;
};

/// The host's memory. Large blocks use huge pages where the system has them. Otherwise a result
/// that is written once costs more in page faults than in arithmetic.
Memory& host_memory();

}  // namespace upcast
