// A position in a line of case notation or of a selector, and the faults found there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace upcast {

/// Limits of what a reader accepts, in characters, lines, names and dimensions, so that its
/// work is bounded.
inline constexpr std::size_t kMaxLine = std::size_t{16} << 20;
inline constexpr std::size_t kMaxWord = 256;
inline constexpr std::size_t kMaxText = 256;  // in quotes
inline constexpr std::size_t kMaxNumber = 4096;
inline constexpr std::size_t kMaxLinesOfSets = 100'000;
inline constexpr std::size_t kMaxNamesOfBraces = 1000;
inline constexpr std::size_t kMaxDimensions = 1024;

/// The first 60 characters of a text, with "..." after them if it has more.
std::string beginning(std::string_view text);

/// A fault in a line of text. `position` is an offset into the line. A caller that knows the line
/// and file turns the fault into a UsageError with a column.
struct SyntaxFault {
  std::size_t position = 0;
  std::string message;
};

/// A read position in one line of text. Blanks are spaces and tabs.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text, std::size_t position = 0)
      : text_(text), position_(position) {}

  std::size_t position() const { return position_; }
  void move_to(std::size_t position) { position_ = position; }
  bool at_end() const { return position_ >= text_.size(); }
  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(position_); }
  std::string_view since(std::size_t start) const { return text_.substr(start, position_ - start); }

  /// The character `ahead` places after the cursor; '\0' after the end of the line.
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++position_;
  }
  /// Skips `wanted` if it comes next. Returns whether it did.
  bool accept(std::string_view wanted) {
    if (!rest().starts_with(wanted)) return false;
    position_ += wanted.size();
    return true;
  }
  /// Like accept, but skips blanks first.
  bool accept_spaced(std::string_view wanted) {
    skip_blanks();
    return accept(wanted);
  }
  /// Skips blanks, then `wanted`. If something else comes next, faults with "expected WANTED
  /// REASON".
  void expect(std::string_view wanted, std::string_view reason);

  /// Reads the longest run of letters, digits, '_' and the characters of `extra`, possibly "".
  /// Faults if the run is longer than kMaxWord.
  std::string_view word(std::string_view extra = "");

  [[noreturn]] void fail(const std::string& message) const { fail_at(position_, message); }
  [[noreturn]] static void fail_at(std::size_t position, std::string message) {
    throw SyntaxFault{position, std::move(message)};
  }
  /// What comes next, for messages: "'x'", or "the end of the line".
  std::string found() const;

 private:
  std::string_view text_;
  std::size_t position_;
};

}  // namespace upcast
