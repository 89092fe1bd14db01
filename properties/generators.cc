#include "properties/generators.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/ops/number_cast.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Any finite number of float64, small magnitudes as often as large ones.
double draw_real(Draw& draw) {
  const double fraction = static_cast<double>(draw.bits() >> 11) * 0x1p-53 + 0.5;
  const double value = std::ldexp(fraction, draw.between(-20, 20));
  return draw.chance(50) ? value : -value;
}

std::vector<std::byte> bytes_of(DType dtype, double value) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(itemsize(dtype)));
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), dtype, bytes.data(),
                1);
  return bytes;
}

/// A real one, or both parts of a complex one.
std::vector<std::byte> draw_number_element(Draw& draw, DType dtype, double (*real)(Draw&)) {
  if (!is_complex(dtype)) return bytes_of(dtype, real(draw));
  std::vector<std::byte> both = bytes_of(to_real(dtype), real(draw));
  const std::vector<std::byte> imaginary = bytes_of(to_real(dtype), real(draw));
  both.insert(both.end(), imaginary.begin(), imaginary.end());
  return both;
}

double draw_small(Draw& draw) { return draw.between(-4, 4); }

/// Zeros, ones, the ends of the range, the smallest subnormal, infinities, NaN.
double draw_extreme(Draw& draw, DType dtype) {
  const double largest = is_floating(dtype) ? largest_finite(dtype) : 0;
  const std::array<double, 10> values{0,        -0.0,      1,          -1,   largest,
                                      -largest, kInfinity, -kInfinity, kNaN, 1.0 / 3};
  return draw.from(values);
}

std::vector<std::byte> draw_extreme_element(Draw& draw, DType dtype) {
  if (is_complex(dtype)) {
    std::vector<std::byte> both = draw_extreme_element(draw, to_real(dtype));
    const std::vector<std::byte> imaginary = draw_extreme_element(draw, to_real(dtype));
    both.insert(both.end(), imaginary.begin(), imaginary.end());
    return both;
  }
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  const auto pattern = [size](int low, int between, int top) {
    std::vector<std::byte> bytes(size, std::byte(between));
    bytes.front() = std::byte(low);
    bytes.back() = std::byte(size == 1 ? low | top : top);
    return bytes;
  };
  if (is_floating(dtype)) {
    if (draw.chance(10)) return pattern(1, 0, draw.chance(50) ? 0x80 : 0);
    return bytes_of(dtype, draw_extreme(draw, dtype));
  }
  switch (draw.below(5)) {
    case 0:
      return pattern(0, 0, 0x80);  // the least one of a signed dtype
    case 1:
      return pattern(0xff, 0xff, 0x7f);
    case 2:
      return pattern(0xff, 0xff, 0xff);
    default:
      return pattern(draw.below(2), 0, 0);
  }
}

std::vector<std::byte> draw_element(Draw& draw, DType dtype) {
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  if (is_bool(dtype)) return {std::byte{draw.chance(50)}};
  const int what = draw.below(100);
  if (what < 25) return draw_extreme_element(draw, dtype);
  if (what < 40) {  // all there is of limits and their neighbours
    const std::vector<std::byte>& special = special_elements(dtype);
    const int count = static_cast<int>(special.size() / size);
    const auto at = static_cast<std::ptrdiff_t>(size) * draw.below(count);
    return {special.begin() + at, special.begin() + at + static_cast<std::ptrdiff_t>(size)};
  }
  if (what < 55) return draw_number_element(draw, dtype, &draw_small);
  if (what < 80 && !is_integral(dtype)) return draw_number_element(draw, dtype, &draw_real);
  std::vector<std::byte> element(size);
  const std::array<std::uint64_t, 2> bits{draw.bits(), draw.bits()};
  std::memcpy(element.data(), bits.data(), size);
  return element;
}

Case draw_dtype_pair(Draw& draw) {
  Case c = case_of("promote_types");
  c.arguments = {dtype_operand(draw_dtype(draw, true)), dtype_operand(draw_dtype(draw, true))};
  return c;
}

template <const DTypeSet& kSet>
Case draw_pair_of(Draw& draw) {
  Case c = case_of("promote_types");
  c.arguments = {dtype_operand(draw.from(kSet)), dtype_operand(draw.from(kSet))};
  return c;
}
template <Category kCategory>
bool is_pair_of(const Case& c) {
  return category(c.arguments[0].dtype) == kCategory && category(c.arguments[1].dtype) == kCategory;
}

Case draw_tensor_and_number(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  c.arguments[0] = tensor(draw_dtype(draw), draw.chance(50) ? Dims{1} : Dims{});
  c.arguments[1] = draw_number(draw);
  c.arguments[2] = {.tag = Tag::kNone};
  c.defaults.floating = draw_default(draw);
  return c;
}
bool is_tensor_and_number(const Case& c) {
  return c.arguments[0].tag == Tag::kTensor && c.arguments[1].tag == Tag::kNumber;
}

Case draw_tensors_of_both_kinds(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  c.arguments[0] = tensor(draw_dtype(draw), {1});
  c.arguments[1] = tensor(draw_dtype(draw), {});
  c.arguments[2] = {.tag = Tag::kNone};
  if (draw.chance(30))
    c.arguments[2] = tensor(draw_dtype(draw), draw.chance(50) ? Dims{1} : Dims{});
  c.defaults.floating = draw_default(draw);
  return c;
}
bool is_two_tensors(const Case& c) {
  return c.arguments[0].tag == Tag::kTensor && c.arguments[1].tag == Tag::kTensor;
}

Case draw_cast(Draw& draw) {
  Case c = case_of("can_cast");
  c.arguments = {dtype_operand(draw_dtype(draw, true)), dtype_operand(draw_dtype(draw, true))};
  return c;
}

Case draw_dtype_triple(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  for (Operand& operand : c.arguments) operand = tensor(draw_dtype(draw), {1});
  return c;
}

Case draw_operand_list(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  const int count = draw.size() < 10 ? draw.between(1, 2) : draw.chance(80) ? 3 : 2;
  for (int i = 0; i < 3; ++i)
    c.arguments[static_cast<std::size_t>(i)] =
        i < count ? draw_promotion_operand(draw) : Operand{.tag = Tag::kNone};
  c.defaults.floating = draw_default(draw);
  return c;
}

bool has_three_tensors(const Case& c) {
  return c.arguments[1].tag == Tag::kTensor && c.arguments[2].tag == Tag::kTensor;
}

}  // namespace

Case case_of(std::string_view callable) {
  const FoundOp found = find_callable(callable);
  check(found.op != nullptr, "case_of: a callable of the catalogue");
  Case c;
  c.op = found.op;
  c.overload = found.overload;
  c.form = found.form;
  c.arguments.resize(c.schema().parameters.size());
  return c;
}

Operand tensor(DType dtype, Dims sizes) {
  return {.tag = Tag::kTensor, .dtype = dtype, .sizes = std::move(sizes)};
}
Operand number(Number value) { return {.tag = Tag::kNumber, .number = value}; }
Operand dtype_operand(DType dtype) { return {.tag = Tag::kDType, .dtype = dtype}; }

DType draw_default(Draw& draw) {
  constexpr std::array<DType, 6> kChoices{DType::kFloat32, DType::kFloat32, DType::kFloat32,
                                          DType::kFloat64, DType::kFloat16, DType::kBFloat16};
  return draw.from(kChoices);
}

DType draw_dtype(Draw& draw, bool any) {
  if (any && draw.chance(25)) return dtype_from_code(draw.below(kDTypeCount - 1));
  // Those that promote with each other, so that most examples are no refusals.
  return draw.from(draw.chance(70) ? kElementwise - kUnsigned - kFloat8s : kElementwise);
}

Operand draw_number(Draw& draw) {
  constexpr std::array<Category, 4> kCategories{Category::kBool, Category::kIntegral,
                                                Category::kFloating, Category::kComplex};
  return draw_number(draw, draw.from(kCategories));
}

Operand draw_number(Draw& draw, Category category) {
  constexpr std::array<std::int64_t, 8> kWholes{1,
                                                0,
                                                -1,
                                                3,
                                                300,
                                                2147483648,
                                                std::numeric_limits<std::int64_t>::max(),
                                                std::numeric_limits<std::int64_t>::min()};
  constexpr std::array<double, 8> kReals{0.5, 1, 0.0, -0.0, 2.5, 1e30, kInfinity, kNaN};
  switch (category) {
    case Category::kBool:
      return number(draw.chance(50));
    case Category::kIntegral:
      if (draw.chance(10)) return number(~std::uint64_t{0} - 1);
      return number(draw.from(kWholes));
    case Category::kComplex:
      return number(Complex<double>{draw.from(kReals), draw.from(kReals)});
    default:
      return number(draw.from(kReals));
  }
}

Operand draw_promotion_operand(Draw& draw) {
  const int kind = draw.below(100);
  if (kind < 40) return tensor(draw_dtype(draw), {1});
  if (kind < 67) return tensor(draw_dtype(draw), {});
  if (kind < 94) return draw_number(draw);
  return {.tag = Tag::kUndefined};
}

std::vector<std::byte> draw_values(Draw& draw, DType dtype, std::int64_t count) {
  std::vector<std::byte> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::vector<std::byte> element = draw_element(draw, dtype);
    values.insert(values.end(), element.begin(), element.end());
  }
  return values;
}

TypedOperand typed_operand(const Operand& operand) {
  if (operand.tag == Tag::kNumber) return {operand.number.dtype(), Kind::kWrapped};
  if (operand.tag == Tag::kTensor)
    return {operand.dtype, operand.sizes.empty() ? Kind::kZeroDim : Kind::kDim};
  return {};
}

std::vector<TypedOperand> typed_operands(const Case& c) {
  std::vector<TypedOperand> operands;
  for (const Operand& operand : c.arguments)
    if (operand.tag == Tag::kTensor || operand.tag == Tag::kNumber ||
        operand.tag == Tag::kUndefined)
      operands.push_back(typed_operand(operand));
  return operands;
}

const Generator kDTypePairs{
    "pairs of dtypes", &draw_dtype_pair, nullptr, {{"dtype", 22, 1.5}, {"dtype", 46, 0.2}}};
const Generator kIntegralPairs{"pairs of integral dtypes",
                               &draw_pair_of<kIntegers>,
                               &is_pair_of<Category::kIntegral>,
                               {{"dtype", 5, 30}}};
const Generator kComplexPairs{"pairs of complex dtypes",
                              &draw_pair_of<kComplexes>,
                              &is_pair_of<Category::kComplex>,
                              {{"dtype", 4, 35}}};
const Generator kTensorsAndNumbers{
    "tensors and numbers",
    &draw_tensor_and_number,
    &is_tensor_and_number,
    {{"dtype", 22, 0.2}, {"number", 4, 20}, {"kind", 2, 40}, {"default", 4, 10}}};
const Generator kTensorsOfBothKinds{
    "tensors of both kinds",
    &draw_tensors_of_both_kinds,
    &is_two_tensors,
    {{"dtype", 22, 1}, {"kind", 2, 95}, {"default", 4, 10}, {"arity", 2, 20}}};
const Generator kCasts{
    "casts", &draw_cast, nullptr, {{"dtype", 22, 1.5}, {"dtype", 46, 0.2}, {"category", 4, 5}}};
const Generator kDTypeTriples{
    "triples of dtypes", &draw_dtype_triple, &has_three_tensors, {{"dtype", 22, 2}}};
const Generator kOperandLists{"lists of operands",
                              &draw_operand_list,
                              nullptr,
                              {{"dtype", 22, 1.5},
                               {"kind", 4, 8},
                               {"number", 4, 8},
                               {"default", 4, 10},

                               {"arity", 3, 5}}};

}  // namespace upcast::properties
