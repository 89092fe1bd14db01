#include "cases/text_cursor.h"

namespace upcast {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string beginning(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "");
}

void TextCursor::expect(std::string_view wanted, std::string_view reason) {
  skip_blanks();
  if (accept(wanted)) return;
  fail("expected '" + std::string(wanted) + "' " + std::string(reason) + ", found " + found());
}

std::string_view TextCursor::word(std::string_view extra) {
  const std::size_t start = position_;
  while (!at_end() && (is_word_character(peek()) || extra.find(peek()) != extra.npos)) ++position_;
  if (position_ - start > kMaxWord)
    fail_at(start, "a word has at most " + std::to_string(kMaxWord) + " characters: '" +
                       beginning(since(start)) + "'");
  return since(start);
}

std::string TextCursor::found() const {
  if (at_end()) return "the end of the line";
  return "'" + std::string(1, peek()) + "'";
}

}  // namespace upcast
