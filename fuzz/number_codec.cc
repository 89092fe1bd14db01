#include "fuzz/number_codec.h"

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>

namespace upcast::fuzz {
namespace {

enum Tag : std::uint8_t {
  kFalse,
  kTrue,
  kShortInt,      // int8
  kLongInt,       // int64
  kUnsigned,      // a uint64 of 2^63 or more
  kQuarters,      // a float64: an int8 divided by 4
  kDouble,        // bits
  kPairOfBytes,   // a complex number: two int8, each divided by 4
  kPairOfDoubles  // bits
};
constexpr double kQuarter = 0.25;
constexpr std::uint64_t kTopBit = std::uint64_t{1} << 63;

std::span<const Tag> tags_of(ParameterType type) {
  static constexpr Tag kAny[] = {kFalse,    kTrue,   kShortInt,    kLongInt,      kUnsigned,
                                 kQuarters, kDouble, kPairOfBytes, kPairOfDoubles};
  static constexpr Tag kInts[] = {kShortInt};  // short ones only: some are loop counts in LibTorch
  static constexpr Tag kReals[] = {kQuarters, kDouble, kShortInt, kLongInt};
  static constexpr Tag kBools[] = {kFalse, kTrue};
  switch (type) {
    case ParameterType::kInt:
      return kInts;
    case ParameterType::kFloat:
    case ParameterType::kOptionalFloat:
      return kReals;
    case ParameterType::kBool:
      return kBools;
    default:
      return kAny;
  }
}

std::optional<std::int8_t> in_quarters(double value) {
  const double quarters = value / kQuarter;
  if (!(quarters >= -128 && quarters <= 127) || quarters != std::floor(quarters)) return {};
  if (quarters == 0 && std::signbit(value)) return {};
  return static_cast<std::int8_t>(quarters);
}

double of_quarters(std::int8_t quarters) { return quarters * kQuarter; }

Tag tag_of(const Number& number) {
  return number.visit([](auto value) -> Tag {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>)
      return value ? kTrue : kFalse;
    else if constexpr (std::is_same_v<T, std::int64_t>)
      return value >= -128 && value <= 127 ? kShortInt : kLongInt;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      return kUnsigned;
    else if constexpr (std::is_same_v<T, double>)
      return in_quarters(value) ? kQuarters : kDouble;
    else
      return in_quarters(value.re) && in_quarters(value.im) ? kPairOfBytes : kPairOfDoubles;
  });
}

}  // namespace

Number read_number(ByteReader& reader, ParameterType type) {
  const std::span<const Tag> tags = tags_of(type);
  const std::uint8_t byte = reader.next();
  // A tag that the type allows keeps its meaning. So bytes mean the same number for every type that
  // allows their tag.
  Tag tag = tags[byte % tags.size()];
  for (const Tag has : tags)
    if (has == byte) tag = has;
  const auto quarters = [&reader] { return of_quarters(static_cast<std::int8_t>(reader.next())); };
  switch (tag) {
    case kFalse:
      return false;
    case kTrue:
      return true;
    case kShortInt:
      return std::int64_t{static_cast<std::int8_t>(reader.next())};
    case kLongInt:
      return reader.next_bits<std::int64_t>();
    case kUnsigned:
      return reader.next_bits<std::uint64_t>() | kTopBit;
    case kQuarters:
      return quarters();
    case kDouble:
      return reader.next_bits<double>();
    case kPairOfBytes: {
      const double re = quarters();
      return Complex<double>{re, quarters()};
    }
    case kPairOfDoubles:
      break;
  }
  const auto re = reader.next_bits<double>();
  return Complex<double>{re, reader.next_bits<double>()};
}

bool write_number(ByteWriter& writer, const Number& number, ParameterType type) {
  const Tag tag = tag_of(number);
  bool has = false;
  for (const Tag each : tags_of(type)) has = has || each == tag;
  if (!has) return false;
  writer.put(tag);
  number.visit([&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (tag == kShortInt)
        writer.put(static_cast<std::uint8_t>(value));
      else
        writer.put_bits(value);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      writer.put_bits(value & ~kTopBit);
    } else if constexpr (std::is_same_v<T, double>) {
      if (tag == kQuarters)
        writer.put(static_cast<std::uint8_t>(*in_quarters(value)));
      else
        writer.put_bits(value);
    } else if constexpr (!std::is_same_v<T, bool>) {
      for (const double part : {value.re, value.im})
        if (tag == kPairOfBytes)
          writer.put(static_cast<std::uint8_t>(*in_quarters(part)));
        else
          writer.put_bits(part);
    }
  });
  return true;
}

}  // namespace upcast::fuzz
