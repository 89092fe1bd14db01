#include "cases/layout.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "cases/suggest.h"

namespace upcast {
namespace {

constexpr std::array<std::string_view, 8> kLayouts{
    "contiguous", "permuted", "expanded", "channels_last", "strides", "offset", "shares", "device"};

Dims parse_strides(TextCursor& cursor, std::size_t dims) {
  const std::size_t start = cursor.position();
  cursor.expect("(", "before the strides");
  Dims strides;
  if (!cursor.accept_spaced(")")) {
    do {
      strides.push_back(parse_size(cursor, "a stride"));
    } while (cursor.accept_spaced(","));
    cursor.expect(")", "after the strides");
  }
  if (strides.size() != dims)
    TextCursor::fail_at(start, std::to_string(dims) + " sizes need the same number of strides, " +
                                   std::to_string(strides.size()) + " given");
  return strides;
}

void parse_part(TextCursor& cursor, Operand& operand) {
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.word();
  if (word == "contiguous") {
    operand.strides.clear();
  } else if (word == "permuted") {
    operand.strides = reversed_strides(operand.sizes);
  } else if (word == "expanded") {
    if (operand.sizes.empty())
      TextCursor::fail_at(start, "a zero-dim tensor has no dimension to expand");
    operand.strides = contiguous_strides(operand.sizes);
    operand.strides[0] = 0;
  } else if (word == "channels_last") {
    if (operand.sizes.size() != 4) TextCursor::fail_at(start, "channels_last needs four sizes");
    operand.strides = dense_strides(operand.sizes, {1, 3, 2, 0});
  } else if (word == "strides") {
    operand.strides = parse_strides(cursor, operand.sizes.size());
  } else if (word == "offset") {
    cursor.expect("(", "before the offset");
    operand.offset = parse_size(cursor, "an offset");
    cursor.expect(")", "after the offset");
  } else if (word == "shares") {
    cursor.expect("(", "before the number of an argument, from 0");
    operand.shares = static_cast<int>(parse_size(cursor, "the number of an argument"));
    cursor.expect(")", "after the number of an argument");
  } else if (word == "device") {
    cursor.expect("(", "before a device");
    const std::size_t device = cursor.position();
    operand.device = find_device(cursor.word());
    if (!operand.device) TextCursor::fail_at(device, "a device is cpu, cuda or meta");
    cursor.expect(")", "after a device");
  } else {
    TextCursor::fail_at(start, "unknown layout '" + std::string(word) + "'" +
                                   did_you_mean(word, kLayouts) +
                                   " (contiguous, permuted, expanded, channels_last, strides(..), "
                                   "offset(..), shares(..), device(..))");
  }
}

}  // namespace

std::int64_t parse_size(TextCursor& cursor, std::string_view what) {
  cursor.skip_blanks();
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.word();
  std::int64_t size = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  if (word.empty() || error != std::errc() || end != word.data() + word.size())
    TextCursor::fail_at(start, "expected " + std::string(what) + ", a number from 0 up");
  return size;
}

void parse_layout(TextCursor& cursor, Operand& operand) {
  cursor.expect(":", "before a layout");
  do {
    parse_part(cursor, operand);
  } while (cursor.accept("+"));
  set_strides(operand, operand.strides);
}

std::string print_layout(const Operand& operand) {
  std::string text;
  const auto append = [&text](std::string_view word, const std::string& value) {
    text += text.empty() ? ':' : '+';
    text.append(word).append("(").append(value).append(")");
  };
  if (!operand.strides.empty()) {
    std::string strides;
    for (const std::int64_t stride : operand.strides)
      strides += (strides.empty() ? "" : ",") + std::to_string(stride);
    append("strides", strides);
  }
  if (operand.offset != 0) append("offset", std::to_string(operand.offset));
  if (operand.shares != kOwnStorage) append("shares", std::to_string(operand.shares));
  if (operand.device) append("device", std::string(name(*operand.device)));
  return text;
}

Dims dense_strides(const Dims& sizes, const std::vector<int>& order) {
  Dims strides(sizes.size());
  std::int64_t stride = 1;
  for (const int d : order) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(sizes[d], 1);
  }
  return strides;
}

Dims reversed_strides(const Dims& sizes) {
  const Dims reversed = contiguous_strides(Dims(sizes.rbegin(), sizes.rend()));
  return {reversed.rbegin(), reversed.rend()};
}

Dims times(Dims strides, std::int64_t factor) {
  for (std::int64_t& stride : strides) stride *= factor;
  return strides;
}

void set_strides(Operand& operand, Dims strides) {
  if (strides == contiguous_strides(operand.sizes)) strides.clear();
  operand.strides = std::move(strides);
}

}  // namespace upcast
