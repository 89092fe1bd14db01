#include "cases/tuple_space.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "cases/operands.h"
#include "cases/spelled_values.h"
#include "impl/core/dtype_set.h"
#include "impl/promotion/result_type.h"
#include "impl/tensor/tensor.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

constexpr int kSpelledValue = kValueClassNames.size();
constexpr DTypeSet kNumberDTypes{DType::kBool, DType::kInt64, DType::kUInt64, DType::kFloat64,
                                 DType::kComplex128};
constexpr std::array kKinds{Kind::kDim, Kind::kZeroDim, Kind::kWrapped};
constexpr std::array kDefaultDTypes{DType::kFloat32, DType::kFloat64, DType::kFloat16,
                                    DType::kBFloat16};
constexpr std::array<std::string_view, 4> kNumberNames{"bool", "int", "float", "complex"};

int number_category(DType dtype) {
  if (is_bool(dtype)) return 0;
  return is_integral(dtype) ? 1 : is_floating(dtype) ? 2 : 3;
}

constexpr std::array<int, kDTypeCount> make_dtype_numbers() {
  std::array<int, kDTypeCount> numbers{};
  int next = 0;
  for (int i = 0; i < kDTypeCount; ++i)
    numbers[i] = kElementwise.contains(dtype_from_code(i)) ? next++ : kNoValue;
  return numbers;
}
constexpr std::array<int, kDTypeCount> kDTypeNumbers = make_dtype_numbers();

/// The number of each op. Catalogue rows with the same name count as one op.
struct OpNumbers {
  std::vector<std::string_view> names;
  std::vector<int> of_row;

  OpNumbers() {
    for (const Op& op : catalogue()) {
      const auto found = std::find(names.begin(), names.end(), op.spec->name);
      of_row.push_back(static_cast<int>(found - names.begin()));
      if (found == names.end()) names.push_back(op.spec->name);
    }
  }
};
const OpNumbers& op_numbers() {
  static const OpNumbers numbers;
  return numbers;
}
int op_number(const Op& op) {
  return op_numbers().of_row[static_cast<std::size_t>(&op - catalogue().data())];
}

bool is_operand(const Parameter& parameter) {
  return !parameter.keyword_only && (is_tensor(parameter) || is_scalar(parameter));
}

/// Positions of the first two operands of a schema; -1 for an operand that it lacks.
std::array<int, 2> operand_positions(const Schema& schema) {
  std::array<int, 2> found{-1, -1};
  std::size_t count = 0;
  for (std::size_t i = 0; i < schema.parameters.size() && count < found.size(); ++i)
    if (is_operand(schema.parameters[i])) found[count++] = static_cast<int>(i);
  return found;
}

struct DTypeAndKind {
  int dtype = kNoValue, kind = kNoValue;
};

DTypeAndKind dtype_and_kind(const Operand& operand) {
  if (operand.tag == Tag::kNumber)
    return {kDTypeNumbers[code(operand.number.dtype())], static_cast<int>(Kind::kWrapped)};
  if (operand.tag != Tag::kTensor) return {};
  return {kDTypeNumbers[code(operand.dtype)],
          static_cast<int>(operand.sizes.empty() ? Kind::kZeroDim : Kind::kDim)};
}

int tensor_shape(const Case& c) {
  const std::vector<int> tensors = tensor_arguments(c);
  if (tensors.empty()) return kNoValue;
  const auto any = [&](auto holds) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](int position) { return holds(c.operand(position)); });
  };
  const Dims& sizes = c.operand(tensors.front()).sizes;
  TensorShape shape = TensorShape::kPlain;
  if (any([](const Operand& each) { return element_count(each) == 0; }))
    shape = TensorShape::kEmpty;
  else if (any([](const Operand& each) {
             return !each.strides.empty() && each.strides != contiguous_strides(each.sizes);
           }))
    shape = TensorShape::kStrided;
  else if (any([&](const Operand& each) { return each.sizes != sizes; }))
    shape = TensorShape::kBroadcast;
  else if (sizes.empty())
    shape = TensorShape::kZeroDim;
  return static_cast<int>(shape);
}

int default_number(const Case& c) {
  const auto* const found =
      std::find(kDefaultDTypes.begin(), kDefaultDTypes.end(), c.defaults.floating);
  return found == kDefaultDTypes.end() ? kNoValue
                                       : static_cast<int>(found - kDefaultDTypes.begin());
}

int first_number(const Case& c) {
  const std::vector<Parameter>& parameters = c.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (c.arguments[i].tag == Tag::kNumber &&
        (is_tensor(parameters[i]) || is_scalar(parameters[i])))
      return number_category(c.arguments[i].number.dtype());
  return kNoValue;
}

/// The facts about a callable that decide which tuples its calls can have. Many callables have the
/// same facts.
struct Slots {
  int op = 0;
  Form form = Form::kFunctional;
  std::array<bool, 2> present{}, optional{}, tensor{}, number{};
  int further_tensors = 0;      // how many tensors follow the first two operands
  bool further_number = false;  // whether a number may follow the first two operands

  auto key() const {
    return std::tie(op, form, present, optional, tensor, number, further_tensors, further_number);
  }
  bool operator<(const Slots& other) const { return key() < other.key(); }
};

Slots slots_of(const Op& op, int overload, Form form) {
  const Schema& schema = op.schemas[overload];
  Slots slots{.op = op_number(op), .form = form};
  const std::array<int, 2> positions = operand_positions(schema);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < 0) continue;
    const Parameter& parameter = schema.parameters[static_cast<std::size_t>(positions[i])];
    const bool written = form == Form::kInPlace && positions[i] == 0;
    slots.present[i] = true;
    slots.optional[i] = parameter.type == ParameterType::kOptionalTensor ||
                        (is_scalar(parameter) && !parameter.default_text.empty());
    slots.tensor[i] = is_tensor(parameter);
    slots.number[i] = !written;
  }
  for (int i = 0; i < static_cast<int>(schema.parameters.size()); ++i) {
    const Parameter& parameter = schema.parameters[static_cast<std::size_t>(i)];
    if (i == positions[0] || i == positions[1]) continue;
    slots.further_tensors += is_tensor(parameter);
    slots.further_number |= is_tensor(parameter) || is_scalar(parameter);
  }
  return slots;
}

/// The kinds that one of the first two operands can have; kNoValue alone if a callable lacks it.
std::vector<int> kinds_of(const Slots& slots, std::size_t operand) {
  if (!slots.present[operand]) return {kNoValue};
  std::vector<int> kinds;
  if (slots.optional[operand]) kinds.push_back(kNoValue);
  for (const Kind kind : kKinds)
    if (kind == Kind::kWrapped ? slots.number[operand] : slots.tensor[operand])
      kinds.push_back(static_cast<int>(kind));
  return kinds;
}

/// The tensor shapes of calls whose first two operands have the given kinds.
std::vector<int> shapes_of(const Slots& slots, int kind, int second) {
  const auto count = [&](Kind wanted) {
    return (kind == static_cast<int>(wanted)) + (second == static_cast<int>(wanted));
  };
  const int dims = count(Kind::kDim), zero_dims = count(Kind::kZeroDim);
  const bool has_dims = dims > 0 || slots.further_tensors > 0;
  std::vector<int> shapes;
  const auto add = [&](bool holds, TensorShape shape) {
    if (holds) shapes.push_back(static_cast<int>(shape));
  };
  if (dims + zero_dims == 0) shapes.push_back(kNoValue);
  add(has_dims && zero_dims == 0, TensorShape::kPlain);
  add(has_dims, TensorShape::kEmpty);
  add(has_dims, TensorShape::kStrided);
  add(dims == 0 && zero_dims + slots.further_tensors > 0, TensorShape::kZeroDim);
  add(has_dims && dims + zero_dims + slots.further_tensors > 1, TensorShape::kBroadcast);
  return shapes;
}

const std::vector<int>& dtypes_of(int kind) {
  const auto make = [](DTypeSet set) {
    std::vector<int> numbers;
    for (const DType dtype : set.dtypes()) numbers.push_back(kDTypeNumbers[code(dtype)]);
    return numbers;
  };
  static const std::vector<int> kNone{kNoValue}, kOfNumbers = make(kNumberDTypes),
                                                 kOfTensors = make(kElementwise);
  if (kind == kNoValue) return kNone;
  return kind == static_cast<int>(Kind::kWrapped) ? kOfNumbers : kOfTensors;
}

bool contains(const Combination& combination, Factor factor) {
  const auto end = combination.factors.begin() + combination.ways;
  return std::find(combination.factors.begin(), end, factor) != end;
}

/// Marks the tuples of calls with given kinds and a given shape. The other factors are free. Only
/// the first number is not free if one of the first two operands is wrapped: it is that operand.
class Marker {
 public:
  Marker(const TupleSpace& space, std::vector<bool>& possible)
      : space_(space), possible_(possible) {}

  void mark(const Slots& slots, int kind, int second, int shape) {
    FactorValues values{slots.op, static_cast<int>(slots.form), 0, 0, kind, second, 0, shape, 0,
                        kNoValue};
    for (const Combination& combination : space_.combinations())
      mark(combination, slots.further_number, values);
  }

 private:
  static constexpr int kWrapped = static_cast<int>(Kind::kWrapped);

  static int& at(FactorValues& values, Factor factor) {
    return values[static_cast<std::size_t>(factor)];
  }

  void mark(const Combination& combination, bool further_number, FactorValues values) {
    static const std::vector<int> kAny{0};
    const bool asks_number = contains(combination, Factor::kNumber);
    const int kind = at(values, Factor::kKind), second = at(values, Factor::kSecondKind);
    const bool first_decides = asks_number && kind == kWrapped;
    const bool second_decides = asks_number && kind != kWrapped && second == kWrapped;
    for (const int dtype :
         contains(combination, Factor::kDType) || first_decides ? dtypes_of(kind) : kAny) {
      at(values, Factor::kDType) = dtype;
      for (const int other : contains(combination, Factor::kSecondDType) || second_decides
                                 ? dtypes_of(second)
                                 : kAny) {
        at(values, Factor::kSecondDType) = other;
        if (!asks_number) {
          mark_free(combination, values);
          continue;
        }
        for (const int number : first_decides    ? std::vector{category_of(dtype)}
                                : second_decides ? std::vector{category_of(other)}
                                : further_number ? std::vector{0, 1, 2, 3}
                                                 : std::vector<int>()) {
          at(values, Factor::kNumber) = number;
          mark_free(combination, values);
        }
      }
    }
  }

  static int category_of(int dtype_number) {
    return number_category(kElementwise.dtypes()[static_cast<std::size_t>(dtype_number)]);
  }

  /// Marks the factors that depend on no other: the value class and the default dtype. A call
  /// without a tensor spells no elements out.
  void mark_free(const Combination& combination, FactorValues values) {
    const int spelled = at(values, Factor::kShape) == kNoValue ? 0 : 1;
    const int classes = contains(combination, Factor::kValues) ? kSpelledValue + spelled : 1;
    const int defaults =
        contains(combination, Factor::kDefault) ? static_cast<int>(kDefaultDTypes.size()) : 1;
    for (int each = 0; each < classes; ++each) {
      at(values, Factor::kValues) = each;
      for (int floating = 0; floating < defaults; ++floating) {
        at(values, Factor::kDefault) = floating;
        const std::int64_t number = space_.number_of(combination, values);
        if (number >= 0) possible_[static_cast<std::size_t>(number)] = true;
      }
    }
  }

  const TupleSpace& space_;
  std::vector<bool>& possible_;
};

}  // namespace

FactorValues factor_values(const Case& c) {
  const std::array<int, 2> positions = operand_positions(c.schema());
  const auto operand = [&](std::size_t i) {
    return positions[i] < 0 ? DTypeAndKind()
                            : dtype_and_kind(c.arguments[static_cast<std::size_t>(positions[i])]);
  };
  const DTypeAndKind first = operand(0), second = operand(1);
  return {op_number(*c.op),
          static_cast<int>(c.form),
          first.dtype,
          second.dtype,
          first.kind,
          second.kind,
          spells_values(c) ? kSpelledValue : static_cast<int>(c.values),
          tensor_shape(c),
          default_number(c),
          first_number(c)};
}

TupleSpace::TupleSpace()
    : sizes_{static_cast<int>(op_numbers().names.size()),
             3,
             kElementwise.size(),
             kElementwise.size(),
             static_cast<int>(kKinds.size()),
             static_cast<int>(kKinds.size()),
             kSpelledValue + 1,
             static_cast<int>(kTensorShapeNames.size()),
             static_cast<int>(kDefaultDTypes.size()),
             static_cast<int>(kNumberNames.size())} {
  const auto add = [this](std::array<std::size_t, 3> factors, int ways) {
    Combination combination{.ways = ways, .first = tuples_, .size = 1};
    for (int i = 0; i < ways; ++i) {
      combination.factors[i] = static_cast<Factor>(factors[i]);
      combination.size *= static_cast<std::size_t>(sizes_[factors[i]]);
    }
    tuples_ += combination.size;
    combinations_.push_back(combination);
  };
  for (std::size_t a = 0; a < kFactors; ++a)
    for (std::size_t b = a + 1; b < kFactors; ++b) add({a, b, 0}, 2);
  for (std::size_t a = 0; a < kFactors; ++a)
    for (std::size_t b = a + 1; b < kFactors; ++b)
      for (std::size_t c = b + 1; c < kFactors; ++c) add({a, b, c}, 3);
}

std::string_view TupleSpace::value_name(Factor factor, int value) const {
  switch (factor) {
    case Factor::kOp:
      return op_numbers().names[static_cast<std::size_t>(value)];
    case Factor::kForm:
      return upcast::name(static_cast<Form>(value));
    case Factor::kDType:
    case Factor::kSecondDType:
      return upcast::name(kElementwise.dtypes()[static_cast<std::size_t>(value)]);
    case Factor::kKind:
    case Factor::kSecondKind:
      return upcast::name(static_cast<Kind>(value));
    case Factor::kValues:
      return value == kSpelledValue ? kSpelledValues : upcast::name(static_cast<ValueClass>(value));
    case Factor::kShape:
      return kTensorShapeNames[static_cast<std::size_t>(value)];
    case Factor::kDefault:
      return upcast::name(kDefaultDTypes[static_cast<std::size_t>(value)]);
    case Factor::kNumber:
      return kNumberNames[static_cast<std::size_t>(value)];
  }
  return "";
}

std::vector<bool> TupleSpace::possible() const {
  std::set<Slots> all;
  for_each_callable(
      [&all](const Op& op, int overload, Form form) { all.insert(slots_of(op, overload, form)); });
  std::vector<bool> possible(tuples_);
  Marker marker(*this, possible);
  for (const Slots& slots : all)
    for (const int kind : kinds_of(slots, 0))
      for (const int second : kinds_of(slots, 1))
        for (const int shape : shapes_of(slots, kind, second))
          marker.mark(slots, kind, second, shape);
  return possible;
}

}  // namespace upcast
