// The answer of a promotion rule: a dtype, or the reason why there is none. It takes one byte, so
// that whole rule tables fit into the L1 cache.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "impl/core/dtype.h"

namespace upcast {

enum class PromotionError : std::uint8_t {
  kQuantized,
  kBits,
  kFloat8,
  kBarebonesUnsigned,
  kNoTableEntry,
  kNoComplexCounterpart
};

constexpr std::string_view describe(PromotionError error) {
  constexpr std::array<std::string_view, 6> kTexts{
      "quantized dtypes do not promote",
      "bits dtypes do not promote",
      "a float8 dtype promotes with itself only",
      "uint16, uint32, uint64 promote with themselves and with floating dtypes only",
      "this dtype has no place in the promotion table",
      "this floating dtype has no complex counterpart"};
  return kTexts[static_cast<int>(error)];
}

class DTypeResult {
 public:
  constexpr DTypeResult() : DTypeResult(DType::kUndefined) {}
  constexpr DTypeResult(DType dtype) : byte_(static_cast<std::uint8_t>(dtype)) {}
  constexpr DTypeResult(PromotionError error)
      : byte_(static_cast<std::uint8_t>(kFirstError + static_cast<int>(error))) {}

  constexpr bool ok() const { return byte_ < kFirstError; }
  constexpr DType dtype() const { return static_cast<DType>(byte_); }
  constexpr PromotionError error() const {
    return static_cast<PromotionError>(byte_ - kFirstError);
  }
  constexpr bool operator==(const DTypeResult&) const = default;

 private:
  static constexpr int kFirstError = 64;
  std::uint8_t byte_;
};

}  // namespace upcast
