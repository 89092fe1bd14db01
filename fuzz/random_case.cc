#include "fuzz/random_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cases/attribute_values.h"
#include "cases/grid_rows.h"
#include "cases/values.h"
#include "fuzz/callable_ids.h"
#include "fuzz/operand_codec.h"
#include "fuzz/shape_codec.h"
#include "impl/iterator/compute_shape.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

/// Common dtypes of the op's kernels, and what promotes to them.
DTypeSet dtypes_of(const Op& op) {
  const DTypeSet kernels = op.spec->dtypes.empty() ? kFloats | kFullComplex : op.spec->dtypes;
  return op.spec->promotion == PromotionKind::kIntToFloat ? kernels | kIntegers | kBools : kernels;
}

std::vector<DType> elements_of(DTypeSet set) { return internal::dtypes_of(set & kElementwise); }

/// An element, changed a little: the next code, one bit, its sign.
void disturb(Random& random, std::byte* element, std::size_t size) {
  switch (random.below(3)) {
    case 0:
      element[0] = static_cast<std::byte>(static_cast<int>(element[0]) + 1);
      break;
    case 1:
      element[random.below(size)] ^= std::byte(1 << random.below(8));
      break;
    default:
      element[size - 1] ^= std::byte{0x80};
  }
}

Operand random_operand(Random& random, const Case& c, const Parameter& parameter,
                       const Dims& master, bool tensor_only, DType dtype) {
  if (parameter.type == ParameterType::kOptionalTensor && random.percent(15))
    return internal::kNoneOperand;
  if (!tensor_only && random.percent(12)) return internal::number(random_number(random));
  if (random.below(200) == 0) return {.tag = Tag::kUndefined};
  const bool mask = c.op->spec->is_mask(parameter.name);
  Operand operand = internal::tensor(mask ? DType::kBool : dtype, random_role(random, master));
  if (c.op->spec->is_loop_count(parameter.name)) {  // small ones: LibTorch loops over them
    operand.sizes.clear();
    operand.dtype = DType::kInt64;
    operand.values.assign(8, std::byte{0});
    operand.values[0] = static_cast<std::byte>(random.below(12));
    return operand;
  }
  if (random.percent(10)) operand.sizes.clear();
  if (random.percent(35)) set_random_layout(random, operand);
  if (random.percent(30)) set_random_values(random, operand);
  return operand;
}

Dims broadcast_shape(const Case& c, const Dims& otherwise) {
  Dims shape;
  for (const Operand& argument : c.arguments)
    if (argument.tag == Tag::kTensor && !broadcast_into(shape, argument.sizes)) return otherwise;
  return shape;
}

}  // namespace

DType random_dtype(Random& random, const Op& op) {
  return random.from(elements_of(random.percent(8) ? kElementwise : dtypes_of(op)));
}

Dims random_master(Random& random) {
  const std::size_t rank = random.from<std::size_t>({0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4});
  Dims sizes;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t size = kSizes[random.percent(85) ? random.below(8) : random.below(kSizes.size())];
    if (size == 0 && random.percent(70)) size = 3;
    if (count * std::max<std::int64_t>(1, size) > kMaxElements) size = 1;
    count *= std::max<std::int64_t>(1, size);
    sizes.push_back(size);
  }
  return sizes;
}

Dims random_role(Random& random, const Dims& master) {
  if (random.percent(70)) return master;
  if (random.percent(6)) return random_master(random);
  const std::size_t drop = random.below(std::min<std::size_t>(master.size(), 3) + 1);
  Dims sizes(master.begin() + static_cast<std::ptrdiff_t>(drop), master.end());
  for (std::int64_t& size : sizes)
    if (random.percent(30)) size = 1;
  return sizes;
}

void set_random_layout(Random& random, Operand& operand) {
  const auto kind = static_cast<StrideKind>(random.below(kStrideKinds));
  Dims strides = strides_of(kind, operand.sizes);
  if (span_of(operand.sizes, strides.empty() ? contiguous_strides(operand.sizes) : strides) >
      kMaxSpan)
    strides.clear();
  operand.strides = std::move(strides);
  operand.offset = random.percent(25) ? static_cast<std::int64_t>(1 + random.below(4)) : 0;
}

void set_random_values(Random& random, Operand& operand) {
  operand.values.clear();
  if (operand.tag != Tag::kTensor || operand.shares != kOwnStorage) return;
  const auto elements = static_cast<std::size_t>(element_count(operand));
  const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
  const std::size_t limit = std::min({kMaxValues, kMaxValueBytes / size, elements});
  if (limit == 0) return;
  const std::size_t period = 1 + random.below(limit);
  operand.values.resize(elements * size);
  const std::vector<std::byte>& special = special_elements(operand.dtype);
  for (std::size_t i = 0; i < period; ++i) {
    std::byte* element = operand.values.data() + i * size;
    std::memcpy(element, special.data() + random.below(special.size() / size) * size, size);
    if (random.percent(35)) disturb(random, element, size);
    if (random.percent(10))
      for (std::size_t k = 0; k < size; ++k) element[k] = static_cast<std::byte>(random.below(256));
  }
  for (std::size_t i = period * size; i < operand.values.size(); ++i)
    operand.values[i] = operand.values[i - period * size];
  if (is_bool(operand.dtype))
    for (std::byte& value : operand.values) value &= std::byte{1};
}

Number random_number(Random& random) {
  const auto real = [&random] {
    const std::vector<std::byte>& all = special_elements(DType::kFloat64);
    double value = 0;
    std::memcpy(&value, all.data() + random.below(all.size() / sizeof value) * sizeof value,
                sizeof value);
    return value;
  };
  switch (random.below(9)) {
    case 0:
      return random.percent(50);
    case 1:
    case 2:
      return static_cast<std::int64_t>(random.below(9)) - 4;
    case 3: {
      const std::vector<std::byte>& all = special_elements(DType::kInt64);
      std::int64_t value = 0;
      std::memcpy(&value, all.data() + random.below(all.size() / sizeof value) * sizeof value,
                  sizeof value);
      return value;
    }
    case 4:
      return random.from({0.5, 2.5, -1.5, 0.1, 3.0, -0.0});
    case 5:
      return Complex<double>{random.from({1.0, 0.0, -2.5}), random.from({2.0, 0.0, -0.5})};
    case 6:
      return random.percent(10) ? Number(random.bits())
                                : Number(static_cast<std::int64_t>(random.bits()));
    case 7:
      return random.percent(20) ? Number(Complex<double>{real(), real()}) : Number(real());
    default:
      return real();
  }
}

Operand random_attribute(Random& random, const Op& op, const Parameter& parameter) {
  if (!parameter.default_text.empty() && random.percent(40)) return {};
  const bool any_number =
      parameter.type == ParameterType::kScalar || parameter.type == ParameterType::kOptionalScalar;
  if (any_number && !op.spec->is_loop_count(parameter.name) && random.percent(25))
    return internal::number(random_number(random));
  if (parameter.type == ParameterType::kDType)
    return {.tag = Tag::kDType, .dtype = random_dtype(random, op)};
  const std::vector<Operand> values = internal::attribute_values(op, parameter);
  return values.empty() ? Operand() : random.from(values);
}

void set_random_out(Random& random, Case& c) {
  const auto make = [&] {
    Operand out = internal::tensor(random_dtype(random, *c.op), broadcast_shape(c, {2}));
    if (random.percent(8)) out.sizes = random_master(random);
    if (random.percent(25)) set_random_layout(random, out);
    return out;
  };
  c.out = make();
  const Outcome<Promoted> promoted = promote_case(c);
  if (random.percent(75) && promoted.ok() && kElementwise.contains(promoted.value().result))
    c.out.dtype = promoted.value().result;
  c.second_out = Operand();
  if (c.op->output_count() > 1) {
    c.second_out = make();
    c.second_out.dtype = DType::kInt32;
  }
  if (!random.percent(6)) return;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    if (!may_own(c, i, kOutPosition, c.out.dtype)) continue;
    c.out.shares = i;
    return;
  }
}

Case random_call(Random& random, const FoundOp& callable) {
  Case c;
  c.op = callable.op;
  c.overload = callable.overload;
  c.form = callable.form;
  const std::vector<Parameter>& parameters = c.schema().parameters;
  c.arguments.resize(parameters.size());
  const Dims master = random_master(random);
  const bool mixed = random.percent(40);
  const DType common = random_dtype(random, *c.op);
  bool first = true;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (internal::is_tensor(parameters[i])) {
      const DType dtype = mixed ? random_dtype(random, *c.op) : common;
      const bool tensor_only = first && (c.form == Form::kInPlace || random.percent(90));
      c.arguments[i] = random_operand(random, c, parameters[i], master, tensor_only, dtype);
      if (first && c.form == Form::kInPlace && c.arguments[i].tag == Tag::kTensor)
        c.arguments[i].sizes = master, c.arguments[i].strides.clear(),
        c.arguments[i].values.clear();
      first = false;
    } else {
      c.arguments[i] = random_attribute(random, *c.op, parameters[i]);
    }
  }
  if (random.percent(15))
    c.defaults.floating = random.from({DType::kFloat64, DType::kFloat16, DType::kBFloat16});
  c.values = random.from({ValueClass::kSmall, ValueClass::kSmall, ValueClass::kSpecial,
                          ValueClass::kSpecial, ValueClass::kRandom, ValueClass::kConsecutive});
  if (c.values != ValueClass::kSmall) c.seed = random.below(0x10000);
  if (c.form == Form::kOut) set_random_out(random, c);
  return c;
}

Case random_case(Random& random) {
  const auto id = static_cast<std::uint16_t>(random.below(callable_names().size()));
  return random_call(random, callable_of(id));
}

}  // namespace upcast::fuzz
