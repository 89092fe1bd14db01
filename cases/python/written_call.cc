#include "cases/python/written_call.h"

#include <algorithm>
#include <array>

#include "cases/operands.h"
#include "cases/resolve.h"
#include "cases/suggest.h"

namespace upcast::python {
namespace {

using Tag = Operand::Tag;

constexpr std::string_view kValues = "values", kSeed = "seed";

// The words for reduction= and their numbers in at::Reduction.
struct Reduction {
  std::string_view name;
  std::int64_t number;
};
constexpr std::array kReductions = std::to_array<Reduction>({{"none", 0}, {"mean", 1}, {"sum", 2}});

bool is(const GivenValue& given, Tag tag) {
  return !given.value.is_sequence && given.value.operand.tag == tag;
}

/// The operand for an argument of a call. If an earlier argument is the same variable, the operand
/// is another view of that argument's storage.
Operand shared_with_earlier(const GivenValue& given, const std::vector<GivenValue>& before) {
  Operand operand = given.value.operand;
  if (!is(given, Tag::kTensor) || given.value.variable == kNoVariable) return operand;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const GivenValue& earlier = before[i];
    if (!earlier.keyword.empty()) break;
    if (!is(earlier, Tag::kTensor) || earlier.value.variable != given.value.variable) continue;
    operand.shares = static_cast<int>(i);
    operand.values.clear();
    operand.device.reset();
    return operand;
  }
  return operand;
}

Operand out_operand(const Value& value, std::size_t position,
                    const std::vector<GivenValue>& positional) {
  if (value.is_sequence || value.operand.tag != Tag::kTensor)
    TextCursor::fail_at(position, "out= takes a tensor");
  return shared_with_earlier({.position = position, .value = value}, positional);
}

/// Takes an argument that is no parameter of a schema: out=, inplace=, values=, seed=.
bool take_setting(const GivenValue& given, const std::vector<GivenValue>& all, CalledName& called,
                  WrittenCall& call, Case& c) {
  const auto number_is = [&](DType dtype) {
    return is(given, Tag::kNumber) && given.value.operand.number.dtype() == dtype;
  };
  if (given.keyword == "out") {
    const std::vector<Value>& items = given.value.items;
    if (given.value.is_sequence && items.size() == 2) {
      call.out = out_operand(items[0], given.position, all);
      call.second_out = out_operand(items[1], given.position, all);
    } else if (!is(given, Tag::kNone)) {
      call.out = out_operand(given.value, given.position, all);
    }
    return true;
  }
  if (given.keyword == "second_out") {
    call.second_out = out_operand(given.value, given.position, all);
    return true;
  }
  if (given.keyword == "inplace") {
    if (!number_is(DType::kBool)) TextCursor::fail_at(given.position, "inplace= is True or False");
    if (given.value.operand.number == Number(true)) called.name += '_';
    return true;
  }
  if (given.keyword == kValues && is(given, Tag::kText)) {
    const auto* const found = std::find(kValueClassNames.begin(), kValueClassNames.end(),
                                        std::string_view(given.value.operand.text));
    if (found == kValueClassNames.end())
      TextCursor::fail_at(given.position,
                          "unknown value class '" + given.value.operand.text + "'" +
                              did_you_mean(given.value.operand.text, kValueClassNames));
    c.values = static_cast<ValueClass>(found - kValueClassNames.begin());
    return true;
  }
  if (given.keyword == kSeed && number_is(DType::kInt64)) {
    given.value.operand.number.visit([&](auto seed) {
      if constexpr (std::is_integral_v<decltype(seed)>) c.seed = static_cast<std::uint64_t>(seed);
    });
    return true;
  }
  return false;
}

WrittenArgument written(const GivenValue& given, const std::vector<GivenValue>& all) {
  if (given.value.is_sequence)
    TextCursor::fail_at(given.position, "a list is not an operand; write torch.tensor([...])");
  WrittenArgument argument{given.position, given.keyword, shared_with_earlier(given, all)};
  if (given.keyword == "input") argument.keyword = "self";
  if (given.keyword == "reduction" && is(given, Tag::kText))
    for (const Reduction& reduction : kReductions)
      if (reduction.name == given.value.operand.text)
        argument.operand = number(Number(reduction.number));
  return argument;
}

/// Replaces each dtype among the positional arguments by a tensor of it. Its sizes are those of the
/// first tensor with dimensions, or [3]. Returns a note about each such tensor.
std::vector<std::string> tensors_of_dtypes(WrittenCall& call) {
  Dims sizes{3};
  for (const WrittenArgument& argument : call.arguments)
    if (argument.operand.tag == Tag::kTensor && !argument.operand.sizes.empty()) {
      sizes = argument.operand.sizes;
      break;
    }
  std::vector<std::string> notes;
  for (WrittenArgument& argument : call.arguments) {
    if (argument.operand.tag != Tag::kDType || !argument.keyword.empty()) continue;
    const DType dtype = argument.operand.dtype;
    argument.operand = tensor(dtype, sizes);
    notes.push_back(std::string(name(dtype)) + " stands for a tensor, " + std::string(name(dtype)) +
                    print_dims(sizes));
  }
  return notes;
}

}  // namespace

bool is_setting_of_values(const Argument& argument) {
  return argument.keyword == kValues && argument.value.kind == Expression::Kind::kName;
}

std::vector<std::string> resolve_written(CalledName called,
                                         const std::vector<GivenValue>& arguments, Case& c) {
  WrittenCall call{.position = called.position,
                   .name = {},
                   .arguments = {},
                   .out = {},
                   .second_out = {},
                   .end = called.end};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::vector<GivenValue> before(arguments.begin(),
                                         arguments.begin() + static_cast<std::ptrdiff_t>(i));
    if (!take_setting(arguments[i], before, called, call, c))
      call.arguments.push_back(written(arguments[i], before));
  }
  call.name = called.name;
  try {
    resolve_call(call, c);
    return {};
  } catch (const SyntaxFault&) {
    std::vector<std::string> notes = tensors_of_dtypes(call);
    if (notes.empty()) throw;
    try {
      resolve_call(std::move(call), c);
      return notes;
    } catch (const SyntaxFault&) {
    }
    throw;
  }
}

}  // namespace upcast::python
