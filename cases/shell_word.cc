#include "cases/shell_word.h"

#include "cases/visible.h"

namespace upcast {

std::string shell_word(std::string_view text) {
  if (first_hidden(text) == text.npos) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
  }
  std::string word = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\')
      word += {'\\', c};
    else if (byte >= 0x20 && byte < 0x7f)
      word += c;
    else  // an octal escape has three digits: no digit after it can extend it
      word += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
               static_cast<char>('0' + (byte & 7))};
  }
  return word + "'";
}

}  // namespace upcast
