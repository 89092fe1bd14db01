#include "impl/tensor/storage.h"

namespace upcast {

Storage::Storage(std::size_t size, Memory& memory)
    : memory_(memory), size_(size), bytes_(memory.allocate(size)) {}

Storage::Storage(std::span<const std::byte> bytes, Memory& memory) : Storage(bytes.size(), memory) {
  memory.write(bytes, bytes_);
}

}  // namespace upcast
