#include "cases/visible.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace upcast {
namespace {

struct Range {
  std::uint32_t first, last;
};

/// Code points of Unicode 15 that are not shown as they are: controls, invisible ones, line breaks,
/// marks of text direction, tags, and non-characters.
constexpr Range kUnseen[]{
    {0x80, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
    {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},
    {0x2028, 0x202e},   {0x2060, 0x206f},   {0x2800, 0x2800},   {0x3164, 0x3164},
    {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0x1fffe, 0x1ffff}, {0x2fffe, 0x2ffff}, {0xe0000, 0x10ffff}};

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // bytes of the character; 0: the text is no UTF-8 there
};

/// Decodes the first character of a text, which must not be empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return {};
  std::uint32_t code = byte(0) & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < kLeast[size] || code > 0x10ffff || surrogate ? Character{} : Character{code, size};
}

bool is_unseen(std::uint32_t code) {
  return std::any_of(std::begin(kUnseen), std::end(kUnseen), [code](const Range& range) {
    return range.first <= code && code <= range.last;
  });
}

bool is_control(std::uint32_t code) { return code < 0x20 || code == 0x7f; }

std::string hex(std::uint32_t value, std::size_t least) {
  std::string digits;
  for (; value != 0 || digits.size() < least; value >>= 4)
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
  return digits;
}

}  // namespace

std::size_t first_hidden(std::string_view text, std::string_view kept) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c >= ' ' && c < 0x7f) {
      ++i;
      continue;
    }
    const Character character = first_character(text.substr(i));
    const bool is_hidden =
        character.size == 0 || is_control(character.code) || is_unseen(character.code);
    if (is_hidden && kept.find(c) == kept.npos) return i;
    i += std::max<std::size_t>(character.size, 1);
  }
  return std::string_view::npos;
}

std::string visible(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t hidden = std::min(first_hidden(text, kept), text.size());
    shown += text.substr(0, hidden);
    text.remove_prefix(hidden);
    if (text.empty()) break;
    const Character character = first_character(text);
    if (text[0] == '\n')
      shown += "\\n";
    else if (character.size == 0 || is_control(character.code))
      shown += "\\x" + hex(static_cast<unsigned char>(text[0]), 2);
    else
      shown += "\\u{" + hex(character.code, 1) + "}";
    text.remove_prefix(std::max<std::size_t>(character.size, 1));
  }
  return shown;
}

}  // namespace upcast
