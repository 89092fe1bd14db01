// What the models of wrong answers have in common: elements of a case as values.
#pragma once

#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/iterator/compute_shape.h"
#include "oracle/answer.h"
#include "oracle/case_call.h"

namespace upcast::models {

using Bytes = std::vector<std::byte>;

inline Bytes cast(DType from, const Bytes& bytes, DType to) {
  const std::int64_t n = static_cast<std::int64_t>(bytes.size()) / itemsize(from);
  Bytes result(n * itemsize(to));
  cast_elements(from, bytes.data(), to, result.data(), n);
  return result;
}

template <class T>
std::vector<T> elements(DType from, const Bytes& bytes, DType to) {
  const Bytes converted = cast(from, bytes, to);
  std::vector<T> result(converted.size() / sizeof(T));
  std::memcpy(result.data(), converted.data(), converted.size());
  return result;
}

template <class T>
Bytes bytes_of(const std::vector<T>& elements) {
  Bytes bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

inline DType dtype_of(const Operand& operand) {
  return operand.tag == Operand::Tag::kNumber ? operand.number.dtype() : operand.dtype;
}

/// The index of the element of a row-major operand that broadcasts to each element of a shape.
inline std::vector<std::size_t> broadcast_indices(const Dims& from, const Dims& shape) {
  const Dims strides = broadcast_strides(from, contiguous_strides(from), shape);
  std::vector<std::size_t> indices{0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::size_t> outer = std::move(indices);
    indices.clear();
    for (const std::size_t start : outer)
      for (std::int64_t i = 0; i < shape[d]; ++i)
        indices.push_back(start + static_cast<std::size_t>(i * strides[d]));
  }
  return indices;
}

/// The elements of an operand as its memory holds them: those of an expanded tensor repeat.
inline Bytes seen_values(const Case& c, int position) {
  if (c.arguments[position].tag != Operand::Tag::kTensor) return operand_values(c, position);
  CaseCall maker;
  return logical_bytes(maker.make(c, /*with_values=*/true).arguments[position].tensor);
}

/// An argument's elements, rounded to `common`, one for each element of an answer of that shape.
template <class T>
std::vector<T> spread(const Case& c, int argument, DType common, DType compute, const Dims& shape) {
  const Operand& operand = c.arguments[argument];
  const Bytes rounded = cast(dtype_of(operand), seen_values(c, argument), common);
  const std::vector<T> values = elements<T>(common, rounded, compute);
  std::vector<T> result;
  for (const std::size_t i : broadcast_indices(operand.sizes, shape)) result.push_back(values[i]);
  return result;
}

inline bool is_reduced(DType dtype) { return kReducedFloats.contains(dtype); }

/// The right answer with other values of the common dtype.
inline Answer with_values(const Answer& right, DType common, const Bytes& values) {
  Answer wrong = right;
  wrong.bytes = cast(common, values, right.dtype);
  return wrong;
}

/// The number of an argument, 1 where it has none.
inline const Number& number_of(const Case& c, std::string_view parameter) {
  static const Number one(1);
  const Operand& operand = c.arguments[c.schema().find(parameter)];
  return operand.tag == Operand::Tag::kNumber ? operand.number : one;
}

/// The common dtype, where it is one of `dtypes`.
inline std::optional<DType> common_among(const Case& c, DTypeSet dtypes) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !dtypes.contains(promoted.value().common)) return std::nullopt;
  return promoted.value().common;
}

}  // namespace upcast::models
