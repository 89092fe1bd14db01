#include "impl/core/error.h"
#include "oracle/process/message_child.h"

namespace upcast {

std::optional<std::string> Lines::next() {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  const std::size_t newline = bytes_.find('\n', scanned_);
  scanned_ = newline == bytes_.npos ? bytes_.size() : 0;
  if (newline == bytes_.npos && bytes_.size() > kMost)
    throw UsageError("a line of more than 64 MiB");
  if (newline == bytes_.npos) return std::nullopt;
  std::string line = bytes_.substr(0, newline);
  bytes_.erase(0, newline + 1);
  return line;
}

}  // namespace upcast
