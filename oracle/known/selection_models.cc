// Models of LibTorch's selecting functions: which of two equal zeros they give, and what they make
// of a signaling NaN.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"

namespace upcast::models {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A bound of clamp: its operand, and whether values below it are raised to it.
struct Bound {
  int position;
  bool is_lower;
};

using Bounds = std::vector<Bound>;

Bounds lower_bound(const Case&) { return {{1, true}}; }
Bounds upper_bound(const Case&) { return {{1, false}}; }
Bounds given_bounds(const Case& c) {
  Bounds bounds;
  for (const auto& [parameter, is_lower] : {std::pair("min", true), std::pair("max", false)}) {
    const int position = c.schema().find(parameter);
    const Operand::Tag tag = c.arguments[position].tag;
    if (tag == Operand::Tag::kTensor || tag == Operand::Tag::kNumber)
      bounds.push_back({position, is_lower});
  }
  return bounds;
}

/// The value x after one bound of clamp. If both are equal, vector code gives the bound, scalar
/// code x.
double bounded(double x, double bound, bool is_lower, bool vector) {
  if (std::isnan(x) || std::isnan(bound)) return kNaN;
  if (x == bound) return vector ? bound : x;
  return (x < bound) == is_lower ? bound : x;
}

/// Whether the kernel sees a signaling NaN. A conversion makes a NaN quiet, with two exceptions.
/// From bfloat16 to float32 it is a shift. From the float8 dtypes with one NaN it gives a signaling
/// one.
bool is_signalling(DType own, DType common, const std::byte* element) {
  if (own == DType::kFloat8E4M3FNUZ || own == DType::kFloat8E5M2FNUZ)
    return common == DType::kFloat32 && *element == std::byte{0x80};
  if (own == DType::kFloat8E8M0FNU) return common == DType::kFloat32 && *element == std::byte{0xff};
  const bool as_is = own == common || (own == DType::kBFloat16 && common == DType::kFloat32);
  if (!as_is) return false;
  const auto signals = [element]<class U>(U infinity, U quiet) {
    U bits;
    std::memcpy(&bits, element, sizeof bits);
    const U magnitude = bits & (std::numeric_limits<U>::max() >> 1);
    return magnitude > infinity && (bits & quiet) == 0;
  };
  switch (own) {
    case DType::kBFloat16:
      return signals(std::uint16_t{0x7f80}, std::uint16_t{0x0040});
    case DType::kFloat32:
      return signals(std::uint32_t{0x7f800000}, std::uint32_t{0x00400000});
    case DType::kFloat64:
      return signals(std::uint64_t{0x7ff0000000000000}, std::uint64_t{0x0008000000000000});
    default:
      return false;
  }
}

/// For each element of the result, whether either operand has a signaling NaN there.
std::vector<bool> signalling_pairs(const Case& c, const Dims& shape, DType common) {
  std::vector<bool> pairs(numel(shape), false);
  for (int i = 0; i < 2; ++i) {
    const DType own = dtype_of(c.arguments[i]);
    const Bytes bytes = broadcast_values(c, i, shape);
    const std::size_t size = itemsize(own);
    for (std::size_t at = 0; at < pairs.size() && (at + 1) * size <= bytes.size(); ++at)
      if (is_signalling(own, common, bytes.data() + at * size)) pairs[at] = true;
  }
  return pairs;
}

double selected(double a, double b, bool largest, bool second_of_equals) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return second_of_equals ? b : a;
  return (a < b) == largest ? b : a;
}

/// maximum, minimum, clamp by tensors: of equal zeros the vector body gives the later operand, the
/// scalar tail the earlier one.
template <auto kBounds>
std::optional<Answer> later_zero_in_the_vector_body(const Case& c, const Answer& right) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  const auto load = [&](int position) {
    return loop_values<double>(c, position, right.sizes, *common, DType::kFloat64);
  };
  std::vector<double> values = load(0);
  const std::vector<bool> vector = in_vector_body(c, *common, values.size());
  for (const Bound& bound : kBounds(c)) {
    const std::vector<double> limits = load(bound.position);
    if (limits.size() != values.size()) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = bounded(values[i], limits[i], bound.is_lower, vector[i]);
  }
  return with_values(right, *common, cast(DType::kFloat64, bytes_of(values), *common));
}

/// fmax and fmin, which ATen computes with the C library: a signalling NaN makes a NaN. Of two
/// equal zeros, float16 and bfloat16 give the second operand.
template <bool kLargest>
std::optional<Answer> selected_by_the_c_library(const Case& c, const Answer& right) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  auto values = loop_values<double>(c, 0, right.sizes, *common, DType::kFloat64);
  const auto others = loop_values<double>(c, 1, right.sizes, *common, DType::kFloat64);
  if (values.size() != others.size()) return std::nullopt;
  const std::vector<bool> signalling = signalling_pairs(c, right.sizes, *common);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        signalling[i] ? kNaN : selected(values[i], others[i], kLargest, is_reduced(*common));
  return with_values(right, *common, cast(DType::kFloat64, bytes_of(values), *common));
}

/// hypot, and abs of complex64: glibc's hypotf answers NaN if an operand is a signalling NaN, even
/// if the other one is infinite.
std::optional<Answer> hypot_of_a_signalling_nan(const Case& c, const Answer& right) {
  const auto common =
      common_among(c, {DType::kFloat32, DType::kFloat16, DType::kBFloat16, DType::kComplex64});
  if (!common) return std::nullopt;
  std::vector<bool> signalling;
  if (is_complex(*common)) {
    if (c.operand(0).dtype != DType::kComplex64) return std::nullopt;
    const Bytes parts = broadcast_values(c, 0, right.sizes);
    constexpr std::size_t kPart = sizeof(float);
    for (std::size_t at = 0; at < parts.size(); at += 2 * kPart)
      signalling.push_back(
          is_signalling(DType::kFloat32, DType::kFloat32, parts.data() + at) ||
          is_signalling(DType::kFloat32, DType::kFloat32, parts.data() + at + kPart));
  } else {
    signalling = signalling_pairs(c, right.sizes, *common);
  }
  auto values = elements<Complex<double>>(right.dtype, right.bytes, DType::kComplex128);
  if (values.size() != signalling.size()) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (signalling[i]) values[i] = {kNaN, 0};
  return with_values(right, DType::kComplex128, bytes_of(values));
}

/// hardshrink_backward, softshrink_backward, hardtanh_backward: the vector body keeps the gradient
/// if a comparison holds, the scalar tail if none does. So a NaN in self or in a bound gives 0 in
/// the vector body, and the gradient in the tail.
std::optional<Answer> nan_masked_in_the_vector_body(const Case& c, const Answer& right) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  const auto self =
      loop_values<double>(c, c.schema().find("self"), right.sizes, *common, DType::kFloat64);
  auto values = elements<double>(right.dtype, right.bytes, DType::kFloat64);
  if (values.size() != self.size()) return std::nullopt;
  bool nan_bound = false;
  for (const std::string_view bound : {"lambd", "min_val", "max_val"})
    nan_bound = nan_bound || std::isnan(number_to<double>(number_of(c, bound)));
  const std::vector<bool> vector = in_vector_body(c, *common, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (vector[i] && (nan_bound || std::isnan(self[i]))) values[i] = 0;
  return with_values(right, DType::kFloat64, bytes_of(values));
}

}  // namespace

ModelRows selection_models() {
  return {
      {"later_zero_in_the_vector_body",
       {"maximum", "clamp_min"},
       later_zero_in_the_vector_body<lower_bound>},
      {"later_zero_in_the_vector_body",
       {"minimum", "clamp_max"},
       later_zero_in_the_vector_body<upper_bound>},
      {"later_zero_in_the_vector_body", {"clamp"}, later_zero_in_the_vector_body<given_bounds>},
      {"selected_by_the_c_library", {"fmax"}, selected_by_the_c_library<true>},
      {"selected_by_the_c_library", {"fmin"}, selected_by_the_c_library<false>},
      {"hypot_of_a_signalling_nan", {"hypot", "abs"}, hypot_of_a_signalling_nan},
      {"nan_masked_in_the_vector_body",
       {"hardshrink_backward", "softshrink_backward", "hardtanh_backward"},
       nan_masked_in_the_vector_body},
  };
}

}  // namespace upcast::models
