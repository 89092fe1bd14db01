// The tuples of a case: the values of any two and any three of its factors. The coverage of a
// campaign is the set of tuples that it has tried (docs/fuzzing.md). It is measured outside of the
// engine, which knows nothing of it. The grid `compile` has every possible pair (docs/grids.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cases/case.h"

namespace upcast {

/// The factors of a case. Its first two operands are the first two parameters that take a tensor or
/// a number by position.
enum class Factor : std::uint8_t {
  kOp,
  kForm,
  kDType,
  kSecondDType,
  kKind,
  kSecondKind,
  kValues,   // the value class, or spelled-out elements
  kShape,    // TensorShape
  kDefault,  // the case's default dtype
  kNumber    // the category of the first number, wrapped or for a Scalar
};

inline constexpr std::array<std::string_view, 10> kFactorNames{
    "op",          "form",   "dtype", "second_dtype",  "kind",
    "second_kind", "values", "shape", "default_dtype", "number"};
inline constexpr std::size_t kFactors = kFactorNames.size();

constexpr std::string_view name(Factor factor) { return kFactorNames[static_cast<int>(factor)]; }

/// The layouts of all tensors among a call's arguments. If several apply, the first one from kEmpty
/// on counts.
enum class TensorShape : std::uint8_t {
  kPlain,     // all tensors contiguous and of one shape
  kEmpty,     // a tensor without elements
  kStrided,   // a tensor that is not contiguous
  kZeroDim,   // all tensors zero-dim
  kBroadcast  // tensors of several shapes
};
inline constexpr std::array<std::string_view, 5> kTensorShapeNames{"plain", "empty", "strided",
                                                                   "zero_dim", "broadcast"};

/// The value of a factor that a case does not have, such as the kind of an absent second operand.
inline constexpr int kNoValue = -1;
/// The values of all factors of a case. A value is a number from 0, or kNoValue.
using FactorValues = std::array<int, kFactors>;

FactorValues factor_values(const Case& c);

/// Two or three factors. Their tuples of values are numbered, the last factor fastest.
struct Combination {
  std::array<Factor, 3> factors{};
  int ways = 0;
  std::size_t first = 0;  // number of the combination's first tuple
  std::size_t size = 0;
};

/// All combinations of factors, and the numbers of their tuples.
class TupleSpace {
 public:
  TupleSpace();

  std::span<const Combination> combinations() const { return combinations_; }
  /// How many tuples all combinations have together.
  std::size_t tuples() const { return tuples_; }
  int values_of(Factor factor) const { return sizes_[static_cast<std::size_t>(factor)]; }
  /// The name of a factor's value: "add", "in_place", "float16", "zero_dim", "special".
  std::string_view value_name(Factor factor, int value) const;

  /// The number of the tuple that a case has for a combination; -1 if the case has no value for one
  /// of its factors.
  std::int64_t number_of(const Combination& combination, const FactorValues& values) const {
    std::size_t number = 0;
    for (int i = 0; i < combination.ways; ++i) {
      const auto factor = static_cast<std::size_t>(combination.factors[i]);
      if (values[factor] == kNoValue) return -1;
      number = number * static_cast<std::size_t>(sizes_[factor]) +
               static_cast<std::size_t>(values[factor]);
    }
    return static_cast<std::int64_t>(combination.first + number);
  }

  /// For each tuple, by number: whether a case that a campaign can make has it. The callable must
  /// have the form, and its parameter must take the kind of operand. Cases that are refused count
  /// too.
  std::vector<bool> possible() const;

 private:
  std::array<int, kFactors> sizes_{};
  std::vector<Combination> combinations_;
  std::size_t tuples_ = 0;
};

}  // namespace upcast
