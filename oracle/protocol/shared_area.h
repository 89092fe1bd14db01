// Memory that a process may map as well, for tensors that are too large for a line of text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace upcast::protocol {

/// An anonymous file of kBytes, of which only what is written takes memory. Of two requests under
/// way one uses the even half, the other the odd one; each half is first for operands, then for
/// answers.
class SharedArea {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;
  static constexpr std::size_t kPart = kBytes / 4;

  /// Throws UsageError where there is no memory for it.
  SharedArea();
  ~SharedArea();
  SharedArea(const SharedArea&) = delete;
  SharedArea& operator=(const SharedArea&) = delete;

  /// A path under which a process of this user may open it, as long as this one lives.
  std::string path() const;
  std::span<std::byte> bytes() const { return {data_, kBytes}; }

  /// Where the operands, and the answers, of a request begin.
  static std::size_t operands_at(std::int64_t seq) { return (seq % 2) * 2 * kPart; }
  static std::size_t answers_at(std::int64_t seq) { return operands_at(seq) + kPart; }

 private:
  int fd_ = -1;
  std::byte* data_ = nullptr;
};

}  // namespace upcast::protocol
