// Division by a number that is known before the kernel starts.
#pragma once

#include <cstdint>

#include "impl/core/host_device.h"

namespace upcast {

/// Divides numbers below 2^31 by a fixed divisor, through a multiplication (Granlund and Montgomery
/// 1994, "Division by invariant integers using multiplication", figure 4.1).
class FastDivision {
 public:
  struct Result {
    std::uint32_t quotient, remainder;
  };

  FastDivision() = default;
  /// `divisor` is from 1 to 2^31 - 1.
  explicit FastDivision(std::uint32_t divisor) : divisor_(divisor) {
    while ((std::uint64_t{1} << shift_) < divisor) ++shift_;
    multiplier_ = static_cast<std::uint32_t>(
        (std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift_) - divisor) / divisor + 1);
  }

  /// The quotient of n and the divisor; n is below 2^31.
  UPCAST_HOST_DEVICE Result divide(std::uint32_t n) const {
    const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) * multiplier_ >> 32);
    const std::uint32_t quotient = (high + n) >> shift_;
    return {quotient, n - quotient * divisor_};
  }

 private:
  std::uint32_t divisor_ = 1;
  std::uint32_t multiplier_ = 1;
  std::uint32_t shift_ = 0;
};

}  // namespace upcast
