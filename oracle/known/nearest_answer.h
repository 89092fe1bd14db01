// Finds the allowed answer that is nearest to a given one, element by element, for models of a
// path.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "cases/operands.h"
#include "impl/ops/op_spec.h"
#include "oracle/case_call.h"
#include "oracle/judge.h"
#include "oracle/known/contraction.h"
#include "oracle/known/loop_values.h"
#include "oracle/same_value.h"
#include "oracle/shared_places.h"

namespace upcast::models {

template <class V>
constexpr DType kComputeDType = std::is_same_v<V, float>            ? DType::kFloat32
                                : std::is_same_v<V, double>         ? DType::kFloat64
                                : std::is_same_v<V, Complex<float>> ? DType::kComplex64
                                                                    : DType::kComplex128;

/// The operands of a call as LibTorch's loop reads them, rounded to the common dtype. Each has one
/// element for each element of the result. V is the compute type.
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

/// The in-place call once more, on its own result, over contiguous tensors.
inline Case over(Case c, const Answer& computed) {
  Operand& written = c.operand(written_position(c));
  written.values = computed.bytes;
  written.strides.clear();
  written.offset = 0;
  return c;
}

/// The allowed answer nearest to `answer`. It has `right`'s element wherever no way of formula(way,
/// operands, i) comes within the bounds, and `answer`'s elsewhere. The formula returns a V, or
/// nothing for an element in which no path differs. An element that is computed again and again (in
/// place over itself) keeps `answer`'s value if the ways differ at all, because each way leads the
/// next computation elsewhere.
template <class V, class F>
std::optional<Answer> nearest(const Case& c, DType common, const Answer& right,
                              const Answer& answer, F formula) {
  constexpr Sides kPaths{Implementation::kLibTorchNative, Implementation::kLibTorch};
  const LoopOperands<V> operands(c, common, right.sizes);
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  if (!is_floating(to_real(right.dtype)) || !operands.has(0, right.bytes.size() / size))
    return std::nullopt;
  // Whether some way of contraction gives element i a value for which `fits` is true.
  const auto some_way = [&](const LoopOperands<V>& of, std::size_t i, auto fits) {
    Contraction way;
    do {
      const std::optional<V> value = formula(way, of, i);
      if (!value) return false;
      const Bytes rounded = cast(kComputeDType<V>, bytes_of(std::vector{*value}), common);
      if (fits(cast(common, rounded, right.dtype))) return true;
    } while (way.next());
    return false;
  };
  const auto ways_differ = [&](const LoopOperands<V>& of) {
    for (std::size_t i = 0; i < right.bytes.size() / size; ++i) {
      Bytes first;
      if (some_way(of, i, [&](const Bytes& result) {
            if (first.empty()) first = result;
            return !same_value(right.dtype, result.data(), first.data());
          }))
        return true;
    }
    return false;
  };
  const auto explained = [&](std::size_t i) {
    return some_way(operands, i, [&](const Bytes& result) {
      return same_value(right.dtype, result.data(), answer.bytes.data() + i * size);
    });
  };
  const std::vector<bool> repeated =
      c.form == Form::kInPlace ? computed_repeatedly(c, answer) : std::vector<bool>();
  const bool may_drift =
      !repeated.empty() && ways_differ(LoopOperands<V>(over(c, right), common, right.sizes));
  Answer nearest = answer;
  for (const std::size_t i : differing_elements(c, answer, right, kPaths))
    if (!explained(i) && !(may_drift && repeated[i]))
      std::memcpy(nearest.bytes.data() + i * size, right.bytes.data() + i * size, size);
  return nearest;
}

}  // namespace upcast::models
