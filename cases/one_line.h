// A message that quotes outside text, as one line.
#pragma once

#include <string>
#include <string_view>

namespace upcast {

/// Every line break becomes "\n", as it is written.
inline std::string one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    if (letter == '\n')
      line += "\\n";
    else
      line += letter;
  }
  return line;
}

}  // namespace upcast
