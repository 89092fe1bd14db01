// For models of a path: the answer nearest to a given one, element by element.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "impl/ops/op_spec.h"
#include "oracle/case_call.h"
#include "oracle/judge.h"
#include "oracle/known/contraction.h"
#include "oracle/known/loop_values.h"
#include "oracle/same_value.h"

namespace upcast::models {

template <class V>
constexpr DType kComputeDType = std::is_same_v<V, float>            ? DType::kFloat32
                                : std::is_same_v<V, double>         ? DType::kFloat64
                                : std::is_same_v<V, Complex<float>> ? DType::kComplex64
                                                                    : DType::kComplex128;

/// The operands of the op as the loop sees them: rounded to the common dtype, one element of each
/// for an element of the result. V is the compute type.
template <class V>
class LoopOperands {
 public:
  LoopOperands(const Case& c, DType common, const Dims& shape) {
    for (std::size_t i = 0; i < kMaxOperands && !c.op->spec->operands[i].empty(); ++i) {
      const int position = c.schema().find(c.op->spec->operands[i]);
      if (position >= 0) values_[i] = loop_values<V>(c, position, shape, common, kComputeDType<V>);
    }
  }
  bool has(std::size_t operand, std::size_t count) const {
    return values_[operand].size() == count;
  }
  V at(std::size_t operand, std::size_t i) const {
    return i < values_[operand].size() ? values_[operand][i] : V{};
  }

 private:
  std::array<std::vector<V>, kMaxOperands> values_;
};

/// `answer`, with `right`'s elements in the place of those beyond the bounds that
/// formula(way, operands, i) gives in no way. The formula returns a V, or nothing for an element
/// that no path differs in.
template <class V, class F>
std::optional<Answer> nearest(const Case& c, DType common, const Answer& right,
                              const Answer& answer, F formula) {
  constexpr Sides kPaths{Implementation::kLibTorchNative, Implementation::kLibTorch};
  const LoopOperands<V> operands(c, common, right.sizes);
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  if (!is_floating(to_real(right.dtype)) || !operands.has(0, right.bytes.size() / size))
    return std::nullopt;
  const auto explained = [&](std::size_t i) {
    Contraction way;
    do {
      const std::optional<V> value = formula(way, operands, i);
      if (!value) return false;
      const Bytes rounded = cast(kComputeDType<V>, bytes_of(std::vector{*value}), common);
      const Bytes result = cast(common, rounded, right.dtype);
      if (same_value(right.dtype, result.data(), answer.bytes.data() + i * size)) return true;
    } while (way.next());
    return false;
  };
  Answer nearest = answer;
  for (const std::size_t i : differing_elements(c, answer, right, kPaths))
    if (!explained(i))
      std::memcpy(nearest.bytes.data() + i * size, right.bytes.data() + i * size, size);
  return nearest;
}

}  // namespace upcast::models
