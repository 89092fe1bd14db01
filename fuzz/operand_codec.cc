#include "fuzz/operand_codec.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "cases/operands.h"
#include "cases/resolve.h"
#include "fuzz/number_codec.h"
#include "fuzz/shape_codec.h"
#include "impl/core/dtype_set.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

// Tags and bits in the first byte of an argument for a Tensor parameter.
constexpr std::uint8_t kTensorTag = 0;
constexpr std::uint8_t kNumberTag = 12;
constexpr std::uint8_t kNothingTag = 15;
constexpr std::uint8_t kTensorTagMask = 0x0f;
constexpr std::uint8_t kNoneBit = 0x10;
// Tags and bits in the first byte of an argument for any other parameter.
constexpr std::uint8_t kAbsentTag = 0;
constexpr std::uint8_t kValueTag = 1;
constexpr std::uint8_t kNoneTag = 2;
constexpr std::uint8_t kValueCountMask = 0x0f;

/// Append-only.
constexpr std::array<std::string_view, 8> kTexts{
    "trunc", "floor", "none", "tanh", "contiguous_format", "preserve_format", "channels_last", "x"};

/// The dtypes for codes that are no dtype of a tensor. The list is frozen, so that old bytes keep
/// their meaning.
constexpr std::array kTensorDTypes{
    DType::kUInt8,      DType::kInt8,         DType::kInt16,        DType::kInt32,
    DType::kInt64,      DType::kFloat16,      DType::kFloat32,      DType::kFloat64,
    DType::kComplex32,  DType::kComplex64,    DType::kComplex128,   DType::kBool,
    DType::kBFloat16,   DType::kFloat8E5M2,   DType::kFloat8E4M3FN, DType::kFloat8E5M2FNUZ,
    DType::kUInt16,     DType::kUInt32,       DType::kUInt64,       DType::kFloat8E4M3FNUZ,
    DType::kBComplex32, DType::kFloat8E8M0FNU};
/// The first code of a dtype byte that is no dtype, and never will be.
constexpr std::uint8_t kFirstWrapped = 64;

/// Whether the operand at a position must be a tensor: self of an in-place form, or out=.
bool must_be_a_tensor(const Case& c, int position) {
  return position < 0 || (c.form == Form::kInPlace && position == 0);
}

DType read_tensor_dtype(ByteReader& reader) {
  const std::uint8_t byte = reader.next();
  if (byte < kFirstWrapped && byte < kDTypeCount && kElementwise.contains(dtype_from_code(byte)))
    return dtype_from_code(byte);
  return kTensorDTypes[byte % kTensorDTypes.size()];
}

void read_values(ByteReader& reader, Operand& operand) {
  const std::int64_t elements = element_count(operand);
  const std::size_t size = itemsize(operand.dtype);
  const std::size_t count = std::min<std::int64_t>(
      {reader.next() & kValueCountMask, value_limit(operand.dtype), elements});
  operand.values.clear();
  if (count == 0) return;
  operand.values.resize(static_cast<std::size_t>(elements) * size);
  for (std::size_t i = 0; i < operand.values.size(); ++i) {
    operand.values[i] =
        i < count * size ? std::byte{reader.next()} : operand.values[i - count * size];
    if (is_bool(operand.dtype)) operand.values[i] &= std::byte{1};
  }
}

bool write_values(ByteWriter& writer, const Operand& operand) {
  const std::size_t size = itemsize(operand.dtype);
  const std::size_t bytes = operand.values.size();
  if (bytes == 0) {
    writer.put(0);
    return true;
  }
  const std::int64_t elements = element_count(operand);
  if (bytes != static_cast<std::size_t>(elements) * size) return false;
  const std::int64_t limit = std::min<std::int64_t>(value_limit(operand.dtype), elements);
  for (std::int64_t count = 1; count <= limit; ++count) {
    const std::size_t period = static_cast<std::size_t>(count) * size;
    if (std::memcmp(operand.values.data(), operand.values.data() + period, bytes - period) != 0)
      continue;
    writer.put(static_cast<std::uint8_t>(count));
    for (std::size_t i = 0; i < period; ++i)
      writer.put(static_cast<std::uint8_t>(operand.values[i]));
    return true;
  }
  return false;
}

void read_tensor(ByteReader& reader, const OperandPlace& place, Operand& operand) {
  operand.tag = Tag::kTensor;
  operand.dtype = read_tensor_dtype(reader);
  read_shape(reader, place.master, operand.sizes);
  Layout layout;
  read_layout(reader, operand.sizes, layout);
  operand.strides = std::move(layout.strides);
  operand.offset = layout.offset;
  const auto own = [&](int owner) {
    return may_own(place.c, owner, place.position, operand.dtype);
  };
  if (layout.owner) {
    const int count = static_cast<int>(place.c.arguments.size());
    const int first = *layout.owner % std::max(1, count);
    for (int i = 0; i < count && operand.shares == kOwnStorage; ++i)
      if (own((first + i) % count)) operand.shares = (first + i) % count;
  }
  if (operand.shares == kOwnStorage && place.position >= 0) read_values(reader, operand);
}

bool write_tensor(ByteWriter& writer, int position, const Operand& operand, const Dims& master) {
  if (operand.device || !kElementwise.contains(operand.dtype)) return false;
  if (position < 0 && !operand.values.empty()) return false;
  writer.put(code(operand.dtype));
  if (!write_shape(writer, master, operand.sizes)) return false;
  Layout layout{.strides = operand.strides, .offset = operand.offset};
  if (operand.shares != kOwnStorage) layout.owner = static_cast<std::uint8_t>(operand.shares);
  if (!write_layout(writer, operand.sizes, layout)) return false;
  if (operand.shares == kOwnStorage && position >= 0) return write_values(writer, operand);
  return operand.values.empty();
}

void read_tensor_argument(ByteReader& reader, const OperandPlace& place, ParameterType type,
                          Operand& operand) {
  const std::uint8_t byte = reader.next();
  const std::uint8_t tag = byte & kTensorTagMask;
  const bool only_tensors = must_be_a_tensor(place.c, place.position);
  if (tag < kNumberTag || (only_tensors && tag != kNothingTag) || place.position < 0) {
    read_tensor(reader, place, operand);
  } else if (tag != kNothingTag) {
    operand.tag = Tag::kNumber;
    operand.number = read_number(reader, type);
  } else {
    const bool none = type == ParameterType::kOptionalTensor && (byte & kNoneBit) != 0;
    operand.tag = none ? Tag::kNone : Tag::kUndefined;
  }
}

bool write_tensor_argument(ByteWriter& writer, const Case& c, int position, ParameterType type,
                           const Operand& operand, const Dims& master) {
  switch (operand.tag) {
    case Tag::kTensor:
      writer.put(kTensorTag);
      return write_tensor(writer, position, operand, master);
    case Tag::kNumber:
      writer.put(kNumberTag);
      return !must_be_a_tensor(c, position) && write_number(writer, operand.number, type);
    case Tag::kUndefined:
      writer.put(kNothingTag);
      return position >= 0;
    case Tag::kNone:
      writer.put(kNothingTag | kNoneBit);
      return type == ParameterType::kOptionalTensor;
    default:
      return false;
  }
}

void read_attribute(ByteReader& reader, const Parameter& parameter, Operand& operand) {
  const std::uint8_t tag = reader.next() & 3;
  if (tag == kAbsentTag && !parameter.default_text.empty()) return;
  if (tag == kNoneTag && may_be_none(parameter)) {
    operand.tag = Tag::kNone;
    return;
  }
  switch (parameter.type) {
    case ParameterType::kText:
    case ParameterType::kMemoryFormat:
      operand.tag = Tag::kText;
      operand.text = kTexts[reader.next() % kTexts.size()];
      break;
    case ParameterType::kDType: {
      operand.tag = Tag::kDType;
      const std::uint8_t byte = reader.next();
      operand.dtype = byte < kFirstWrapped && byte < code(DType::kUndefined)
                          ? dtype_from_code(byte)
                          : kTensorDTypes[byte % kTensorDTypes.size()];
      break;
    }
    default:
      operand.tag = Tag::kNumber;
      operand.number = read_number(reader, parameter.type);
  }
}

bool write_attribute(ByteWriter& writer, const Parameter& parameter, const Operand& operand) {
  switch (operand.tag) {
    case Tag::kAbsent:
      writer.put(kAbsentTag);
      return !parameter.default_text.empty();
    case Tag::kNone:
      writer.put(kNoneTag);
      return may_be_none(parameter);
    case Tag::kText: {
      const auto found = std::find(kTexts.begin(), kTexts.end(), operand.text);
      writer.put(kValueTag);
      writer.put(static_cast<std::uint8_t>(found - kTexts.begin()));
      return found != kTexts.end() && (parameter.type == ParameterType::kText ||
                                       parameter.type == ParameterType::kMemoryFormat);
    }
    case Tag::kDType:
      writer.put(kValueTag);
      writer.put(code(operand.dtype));
      return parameter.type == ParameterType::kDType && operand.dtype != DType::kUndefined;
    case Tag::kNumber:
      writer.put(kValueTag);
      return write_number(writer, operand.number, parameter.type);
    default:
      return false;
  }
}

constexpr Parameter kOutParameter{"out", ParameterType::kTensor, "", true};

const Parameter& parameter_at(const Case& c, int position) {
  return position < 0 ? kOutParameter : c.schema().parameters[position];
}

}  // namespace

int value_limit(DType dtype) { return std::min(kMaxValues, kMaxValueBytes / itemsize(dtype)); }

bool may_own(const Case& c, int owner, int position, DType dtype) {
  if (position == kSecondOutPosition || owner >= static_cast<int>(c.arguments.size())) return false;
  if (position >= 0 && owner >= position) return false;
  const Operand& other = c.arguments[owner];
  return other.tag == Tag::kTensor && other.shares == kOwnStorage && other.dtype == dtype;
}

void read_operand(ByteReader& reader, const OperandPlace& place) {
  const Parameter& parameter = parameter_at(place.c, place.position);
  Operand& operand = place.c.operand(place.position);
  operand = Operand();
  if (is_tensor(parameter))
    read_tensor_argument(reader, place, parameter.type, operand);
  else
    read_attribute(reader, parameter, operand);
}

bool write_operand(ByteWriter& writer, const Case& c, int position, const Dims& master) {
  const Parameter& parameter = parameter_at(c, position);
  const Operand& operand = c.operand(position);
  if (operand.shares != kOwnStorage && !may_own(c, operand.shares, position, operand.dtype))
    return false;
  if (is_tensor(parameter))
    return write_tensor_argument(writer, c, position, parameter.type, operand, master);
  return write_attribute(writer, parameter, operand);
}

}  // namespace upcast::fuzz
