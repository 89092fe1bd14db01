#include "fuzz/findings/literals.h"

#include <fmt/format.h>

#include <bit>

namespace upcast::fuzz::internal {

std::string float64_text(double value) {
  return fmt::format("float64(0x{:016x})", std::bit_cast<std::uint64_t>(value));
}

std::string dims_text(const Dims& dims) { return fmt::format("{{{}}}", fmt::join(dims, ", ")); }

std::string number_text(const Number& number, const char* complex_format) {
  return number.visit([complex_format](auto value) -> std::string {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>)
      return value ? "true" : "false";
    else if constexpr (std::is_same_v<T, std::int64_t>)
      return value == INT64_MIN ? "std::int64_t{INT64_MIN}"
                                : fmt::format("std::int64_t{{{}}}", value);
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      return fmt::format("std::uint64_t{{{}u}}", value);
    else if constexpr (kIsComplex<T>)
      return fmt::format(fmt::runtime(complex_format), float64_text(value.re),
                         float64_text(value.im));
    else
      return float64_text(value);
  });
}

}  // namespace upcast::fuzz::internal
