// Reads fuzz bytes from the front. Reading never fails: after the last byte come zeros.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace upcast::fuzz {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t next() {
    const std::size_t at = at_++;
    return at < bytes_.size() ? bytes_[at] : 0;
  }
  std::uint16_t next16() {
    const std::uint8_t low = next();
    return static_cast<std::uint16_t>(low | next() << 8);
  }
  /// Reads a value of type `T` from the next sizeof(T) bytes, in the order of memory.
  template <class T>
  T next_bits() {
    std::uint8_t bytes[sizeof(T)];
    for (std::uint8_t& byte : bytes) byte = next();
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  /// How many bytes were read so far. The zeros after the last byte count too.
  std::size_t consumed() const { return at_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

class ByteWriter {
 public:
  void put(std::uint8_t byte) { bytes_.push_back(byte); }
  void put16(std::uint16_t value) {
    put(static_cast<std::uint8_t>(value));
    put(static_cast<std::uint8_t>(value >> 8));
  }
  template <class T>
  void put_bits(const T& value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
  }
  /// Takes the bytes that were written, without zeros at the end.
  std::vector<std::uint8_t> take() {
    while (!bytes_.empty() && bytes_.back() == 0) bytes_.pop_back();
    return std::move(bytes_);
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace upcast::fuzz
