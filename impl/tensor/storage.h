// Memory that tensors share.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace upcast {

/// Uninitialised bytes. Large ones lie on huge pages where the system lends them: a result that is
/// written once costs more in page faults than in arithmetic otherwise.
class Storage {
 public:
  explicit Storage(std::size_t size);
  explicit Storage(std::span<const std::byte> bytes);

  std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_;
};

}  // namespace upcast
