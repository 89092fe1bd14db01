#include "cases/python/creation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cases/literal.h"
#include "cases/operand_text.h"
#include "cases/suggest.h"
#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"

namespace upcast::python {
namespace {

using Tag = Operand::Tag;

enum class Elements : std::uint8_t { kZeros, kOnes, kAny, kAnyWhole, kFull, kGiven, kRange };
struct Maker {
  std::string_view name;
  Elements elements;
  bool like = false;  // as in torch.ones_like(x): x gives sizes and dtype
};
constexpr std::array kMakers = std::to_array<Maker>({
    {"zeros", Elements::kZeros},
    {"ones", Elements::kOnes},
    {"empty", Elements::kAny},
    {"rand", Elements::kAny},
    {"randn", Elements::kAny},
    {"randint", Elements::kAnyWhole},
    {"full", Elements::kFull},
    {"tensor", Elements::kGiven},
    {"as_tensor", Elements::kGiven},
    {"asarray", Elements::kGiven},
    {"scalar_tensor", Elements::kGiven},
    {"arange", Elements::kRange},
    {"zeros_like", Elements::kZeros, true},
    {"ones_like", Elements::kOnes, true},
    {"empty_like", Elements::kAny, true},
    {"rand_like", Elements::kAny, true},
    {"randn_like", Elements::kAny, true},
    {"full_like", Elements::kFull, true},
});

// Keywords of torch.ones and its like that change neither dtype nor values.
constexpr std::array<std::string_view, 6> kWithoutEffect{
    "requires_grad", "layout", "pin_memory", "generator", "memory_format", "copy"};
constexpr std::array<std::string_view, 9> kKeywords{
    "dtype", "device", "size", "fill_value", "data", "start", "end", "step", "requires_grad"};

/// The arguments of one call, by position and by keyword. It keeps which of them were read.
class Arguments {
 public:
  Arguments(std::span<const GivenValue> given, std::size_t position) : position_(position) {
    for (const GivenValue& argument : given) {
      if (argument.keyword.empty()) {
        positional_.push_back(&argument);
      } else if (std::find(kWithoutEffect.begin(), kWithoutEffect.end(), argument.keyword) ==
                 kWithoutEffect.end()) {
        if (std::find(kKeywords.begin(), kKeywords.end(), argument.keyword) == kKeywords.end())
          TextCursor::fail_at(argument.position, "unknown keyword '" + argument.keyword + "'" +
                                                     did_you_mean(argument.keyword, kKeywords));
        named_.push_back(&argument);
      }
    }
  }

  const GivenValue* named(std::string_view keyword) const {
    for (const GivenValue* argument : named_)
      if (argument->keyword == keyword) return argument;
    return nullptr;
  }
  /// The next positional argument if one is left, else the argument with the given keyword. Null
  /// without either.
  const GivenValue* next(std::string_view keyword) {
    if (taken_ < positional_.size()) return positional_[taken_++];
    return named(keyword);
  }
  const GivenValue& need(std::string_view keyword) {
    const GivenValue* const found = next(keyword);
    if (found == nullptr)
      TextCursor::fail_at(position_, "this function needs " + std::string(keyword));
    return *found;
  }
  std::size_t positional_left() const { return positional_.size() - taken_; }
  void check_all_taken() const {
    if (positional_left() > 0)
      TextCursor::fail_at(positional_[taken_]->position, "too many positional arguments");
  }

 private:
  std::size_t position_;
  std::vector<const GivenValue*> positional_, named_;
  std::size_t taken_ = 0;
};

const Number& number_of(const GivenValue& argument, std::string_view what) {
  if (argument.value.is_sequence || argument.value.operand.tag != Tag::kNumber)
    TextCursor::fail_at(argument.position, std::string(what) + " is a number");
  return argument.value.operand.number;
}

double real_of(const Number& number) {
  return number.visit([](auto value) {
    if constexpr (std::is_same_v<decltype(value), Complex<double>>)
      return value.re;
    else
      return static_cast<double>(value);
  });
}

std::int64_t size_of(const Value& value, std::size_t position) {
  const bool whole = !value.is_sequence && value.operand.tag == Tag::kNumber &&
                     value.operand.number.dtype() == DType::kInt64;
  if (!whole) TextCursor::fail_at(position, "a size is a whole number");
  return static_cast<std::int64_t>(value.operand.number.visit([](auto number) -> std::int64_t {
    if constexpr (std::is_same_v<decltype(number), std::int64_t>) return number;
    return -1;
  }));
}

/// Runs `read` on case notation that was made from the user's words. A fault in it is reported at
/// `position` in the user's text.
template <class Read>
auto at(std::size_t position, Read read) {
  try {
    return read();
  } catch (SyntaxFault& fault) {
    fault.position = position;
    throw;
  }
}

Dims checked(const Dims& dims, std::size_t position) {
  const std::string text = print_dims(dims);
  return at(position, [&] {
    TextCursor cursor(text);
    return parse_dims(cursor);
  });
}

/// The sizes in torch.zeros(2, 3), torch.zeros((2, 3)) or torch.zeros(size=(2, 3)).
Dims sizes_of(Arguments& arguments, std::size_t position, bool alone) {
  Dims dims;
  const GivenValue& first = arguments.need("size");
  if (first.value.is_sequence) {
    for (const Value& item : first.value.items) dims.push_back(size_of(item, first.position));
  } else {
    dims.push_back(size_of(first.value, first.position));
    while (!alone && arguments.positional_left() > 0) {
      const GivenValue& more = *arguments.next("size");
      dims.push_back(size_of(more.value, more.position));
    }
  }
  return checked(dims, position);
}

/// The numbers of a nested list in row-major order, and its sizes.
void flatten(const Value& value, std::size_t depth, std::size_t position, Dims& sizes,
             std::vector<Number>& numbers) {
  if (!value.is_sequence) {
    if (value.operand.tag != Tag::kNumber)
      TextCursor::fail_at(position, "a tensor is made of numbers and lists of numbers");
    if (depth != sizes.size())
      TextCursor::fail_at(position, "the lists are nested to different depths");
    numbers.push_back(value.operand.number);
    return;
  }
  const auto length = static_cast<std::int64_t>(value.items.size());
  if (depth == sizes.size() && numbers.empty()) sizes.push_back(length);
  if (depth >= sizes.size() || sizes[depth] != length)
    TextCursor::fail_at(position, "the lists differ in length");
  for (const Value& item : value.items) flatten(item, depth + 1, position, sizes, numbers);
}

DType default_of(DType number, Defaults defaults) {
  if (is_complex(number)) return defaults.complex();
  return is_floating(number) ? defaults.floating : number;
}

/// The dtype that torch.tensor gives to a list of numbers: that of their highest category. An empty
/// list has the default dtype.
DType inferred(const std::vector<Number>& numbers, Defaults defaults) {
  DType highest = numbers.empty() ? DType::kFloat64 : DType::kBool;
  for (const Number& number : numbers)
    if (category(number.dtype()) > category(highest)) highest = number.dtype();
  return default_of(highest, defaults);
}

void append_element(DType dtype, const Number& number, std::size_t position,
                    std::vector<std::byte>& values) {
  if (is_complex(number.dtype()) && !is_complex(dtype))
    TextCursor::fail_at(position,
                        "a complex number cannot be an element of " + std::string(name(dtype)));
  if (is_integral(dtype) && is_integral(number.dtype())) {
    const std::string text = print_number(number);
    at(position, [&] {
      TextCursor cursor(text);
      parse_element(cursor, dtype, values);
    });
    return;
  }
  number.visit([&](auto value) {
    std::array<std::byte, 16> element{};
    cast_elements(number.dtype(), reinterpret_cast<const std::byte*>(&value), dtype, element.data(),
                  1);
    values.insert(values.end(), element.begin(), element.begin() + itemsize(dtype));
  });
}

std::vector<Number> range(Arguments& arguments, std::size_t position) {
  Number start(std::int64_t{0}), step(std::int64_t{1});
  std::vector<const GivenValue*> given;
  while (arguments.positional_left() > 0) given.push_back(arguments.next(""));
  if (given.size() > 3) TextCursor::fail_at(given[3]->position, "too many positional arguments");
  const auto pick = [&](std::size_t nth, std::string_view keyword) {
    return nth < given.size() ? given[nth] : arguments.named(keyword);
  };
  const bool end_alone = given.size() == 1 && arguments.named("end") == nullptr;
  const GivenValue* const end = end_alone ? given[0] : pick(1, "end");
  if (end == nullptr) TextCursor::fail_at(position, "arange needs an end");
  if (const GivenValue* const first = end_alone ? arguments.named("start") : pick(0, "start"))
    start = number_of(*first, "start");
  if (const GivenValue* const third = pick(2, "step")) step = number_of(*third, "step");
  const double from = real_of(start), by = real_of(step);
  const double count = std::ceil((real_of(number_of(*end, "end")) - from) / by);
  if (!(count >= 0) || count > kMostWritten)
    TextCursor::fail_at(position,
                        "arange may have at most 64 elements here; write a tensor as int64[100]");
  const bool whole = is_integral(start.dtype()) && is_integral(step.dtype()) &&
                     is_integral(end->value.operand.number.dtype());
  std::vector<Number> numbers;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double value = from + i * by;
    numbers.push_back(whole ? Number(static_cast<std::int64_t>(value)) : Number(value));
  }
  return numbers;
}

struct Made {
  Dims sizes;
  DType dtype = DType::kUndefined;  // the dtype if the call has no dtype=
  std::vector<Number> numbers;      // one: all elements have it; none: elements may have any value
};

Made elements_of(const Maker& maker, std::size_t position, Arguments& arguments,
                 Defaults defaults) {
  Made made{.sizes = {}, .dtype = defaults.floating, .numbers = {}};
  if (maker.elements == Elements::kGiven) {
    const GivenValue& data = arguments.need("data");
    if (!data.value.is_sequence && data.value.operand.tag == Tag::kTensor)
      TextCursor::fail_at(data.position, "a tensor of a tensor is not supported; write x.clone()");
    flatten(data.value, 0, data.position, made.sizes, made.numbers);
    made.dtype = inferred(made.numbers, defaults);
    return made;
  }
  if (maker.elements == Elements::kRange) {
    made.numbers = range(arguments, position);
    made.sizes = {static_cast<std::int64_t>(made.numbers.size())};
    made.dtype = inferred(made.numbers, defaults);
    return made;
  }
  if (maker.elements == Elements::kAnyWhole) {
    number_of(arguments.need("low or high"), "a bound");
    if (arguments.positional_left() > 1) arguments.next("high");
    made.dtype = DType::kInt64;
  }
  if (maker.like) {
    const GivenValue& self = arguments.need("input");
    if (self.value.is_sequence || self.value.operand.tag != Tag::kTensor)
      TextCursor::fail_at(self.position, "this argument is a tensor");
    made.sizes = self.value.operand.sizes;
    made.dtype = self.value.operand.dtype;
  } else {
    const bool alone = maker.elements == Elements::kFull || maker.elements == Elements::kAnyWhole;
    made.sizes = sizes_of(arguments, position, alone);
  }
  if (maker.elements == Elements::kZeros) made.numbers = {Number(std::int64_t{0})};
  if (maker.elements == Elements::kOnes) made.numbers = {Number(std::int64_t{1})};
  if (maker.elements == Elements::kFull) {
    made.numbers = {number_of(arguments.need("fill_value"), "fill_value")};
    if (!maker.like) made.dtype = default_of(made.numbers[0].dtype(), defaults);
  }
  return made;
}

Device device_of(const GivenValue& argument) {
  const Operand& operand = argument.value.operand;
  const std::string_view text = std::string_view(operand.text).substr(0, operand.text.find(':'));
  const std::optional<Device> device = find_device(text);
  if (argument.value.is_sequence || operand.tag != Tag::kText || !device)
    TextCursor::fail_at(argument.position, "a device is 'cpu', 'cuda' or 'meta'");
  return *device;
}

}  // namespace

std::vector<std::string_view> creation_names() {
  std::vector<std::string_view> names;
  for (const Maker& maker : kMakers) names.push_back(maker.name);
  return names;
}

std::optional<Operand> make_tensor(std::string_view name, std::size_t position,
                                   std::span<const GivenValue> given, Defaults defaults) {
  const auto* const maker = std::find_if(kMakers.begin(), kMakers.end(),
                                         [&](const Maker& row) { return row.name == name; });
  if (maker == kMakers.end()) return std::nullopt;
  Arguments arguments(given, position);
  const Made made = elements_of(*maker, position, arguments, defaults);
  Operand operand{.tag = Tag::kTensor, .dtype = made.dtype, .sizes = made.sizes};
  if (const GivenValue* const dtype = arguments.named("dtype")) {
    if (dtype->value.operand.tag == Tag::kDType)
      operand.dtype = dtype->value.operand.dtype;
    else if (dtype->value.operand.tag != Tag::kNone)
      TextCursor::fail_at(dtype->position, "dtype= takes a dtype, such as torch.int32");
  }
  if (const GivenValue* const device = arguments.named("device"))
    if (const Device place = device_of(*device); place != Device::kCpu) operand.device = place;
  arguments.check_all_taken();
  if (!kElementwise.contains(operand.dtype)) return operand;
  const std::int64_t count = element_count(operand);
  const bool repeated = made.numbers.size() == 1;
  if (made.numbers.empty() || (repeated && count > kMostWritten)) return operand;
  for (std::int64_t i = 0; i < count; ++i)
    append_element(operand.dtype, made.numbers[repeated ? 0 : static_cast<std::size_t>(i)],
                   position, operand.values);
  return operand;
}

}  // namespace upcast::python
