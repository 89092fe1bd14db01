#include "fuzz/tuple_space.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "cases/operands.h"
#include "cases/spelled_values.h"
#include "impl/core/dtype_set.h"
#include "impl/promotion/result_type.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr int kSpelledValue = kValueClassNames.size();
constexpr DTypeSet kNumberDTypes{DType::kBool, DType::kInt64, DType::kUInt64, DType::kFloat64,
                                 DType::kComplex128};
constexpr std::array kKinds{Kind::kDim, Kind::kZeroDim, Kind::kWrapped};

constexpr std::array<int, kDTypeCount> make_dtype_numbers() {
  std::array<int, kDTypeCount> numbers{};
  int next = 0;
  for (int i = 0; i < kDTypeCount; ++i)
    numbers[i] = kElementwise.contains(dtype_from_code(i)) ? next++ : kNoValue;
  return numbers;
}
constexpr std::array<int, kDTypeCount> kDTypeNumbers = make_dtype_numbers();

/// Catalogue rows of one name are one op.
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

/// Positions of the first two operands of a schema; -1 where there is none.
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

/// What decides which tuples a callable can have; many callables are alike.
struct Shape {
  int op = 0;
  Form form = Form::kFunctional;
  std::array<bool, 2> present{}, tensor{}, number{};
  bool further_tensor = false;  // behind the first two operands

  auto key() const { return std::tie(op, form, present, tensor, number, further_tensor); }
  bool operator<(const Shape& other) const { return key() < other.key(); }
};

Shape shape_of(const Op& op, int overload, Form form) {
  const Schema& schema = op.schemas[overload];
  Shape shape{.op = op_number(op), .form = form};
  const std::array<int, 2> positions = operand_positions(schema);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < 0) continue;
    const Parameter& parameter = schema.parameters[static_cast<std::size_t>(positions[i])];
    const bool written = form == Form::kInPlace && positions[i] == 0;
    shape.present[i] = true;
    shape.tensor[i] = is_tensor(parameter);
    shape.number[i] = !written;
  }
  for (const int position : tensor_positions(schema))
    shape.further_tensor |= position != positions[0] && position != positions[1];
  return shape;
}

/// The kinds that an operand can be; none where there is no such operand.
std::vector<int> kinds_of(const Shape& shape, std::size_t operand) {
  if (!shape.present[operand]) return {kNoValue};
  std::vector<int> kinds;
  for (const Kind kind : kKinds)
    if (kind == Kind::kWrapped ? shape.number[operand] : shape.tensor[operand])
      kinds.push_back(static_cast<int>(kind));
  return kinds;
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

bool is_tensor_kind(int kind) {
  return kind != kNoValue && kind != static_cast<int>(Kind::kWrapped);
}

bool contains(const Combination& combination, Factor factor) {
  const auto end = combination.factors.begin() + combination.ways;
  return std::find(combination.factors.begin(), end, factor) != end;
}

/// Marks the tuples of one shape whose kinds and value class are given: dtypes are free.
void mark_dtypes(const TupleSpace& space, FactorValues values, std::vector<bool>& possible) {
  static const std::vector<int> kAny{0};
  const auto& first = dtypes_of(values[static_cast<std::size_t>(Factor::kKind)]);
  const auto& second = dtypes_of(values[static_cast<std::size_t>(Factor::kSecondKind)]);
  for (const Combination& combination : space.combinations()) {
    for (const int dtype : contains(combination, Factor::kDType) ? first : kAny) {
      values[static_cast<std::size_t>(Factor::kDType)] = dtype;
      for (const int other : contains(combination, Factor::kSecondDType) ? second : kAny) {
        values[static_cast<std::size_t>(Factor::kSecondDType)] = other;
        const std::int64_t number = space.number_of(combination, values);
        if (number >= 0) possible[static_cast<std::size_t>(number)] = true;
      }
    }
  }
}

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
          spells_values(c) ? kSpelledValue : static_cast<int>(c.values)};
}

TupleSpace::TupleSpace()
    : sizes_{static_cast<int>(op_numbers().names.size()),
             3,
             kElementwise.size(),
             kElementwise.size(),
             static_cast<int>(kKinds.size()),
             static_cast<int>(kKinds.size()),
             kSpelledValue + 1} {
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
  }
  return "";
}

std::vector<bool> TupleSpace::possible() const {
  std::set<Shape> shapes;
  for_each_callable([&shapes](const Op& op, int overload, Form form) {
    shapes.insert(shape_of(op, overload, form));
  });
  std::vector<bool> possible(tuples_);
  for (const Shape& shape : shapes)
    for (const int kind : kinds_of(shape, 0))
      for (const int second : kinds_of(shape, 1)) {
        const bool tensor = shape.further_tensor || is_tensor_kind(kind) || is_tensor_kind(second);
        for (int values = 0; values <= (tensor ? kSpelledValue : kSpelledValue - 1); ++values)
          mark_dtypes(*this, {shape.op, static_cast<int>(shape.form), 0, 0, kind, second, values},
                      possible);
      }
  return possible;
}

}  // namespace upcast::fuzz
