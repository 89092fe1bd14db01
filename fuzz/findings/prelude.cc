#include "fuzz/findings/prelude.h"

#include <cctype>
#include <vector>

namespace upcast::fuzz::internal {
namespace {

struct Part {
  std::string_view name;  // what a program must use to get the part; "": always taken
  std::string text{};
  bool taken = false;
};

std::vector<Part> parts_of(std::string_view prelude, std::string_view mark) {
  std::vector<Part> parts{{.name = "", .taken = true}};
  while (!prelude.empty()) {
    const std::size_t end = prelude.find('\n');
    const std::string_view line = prelude.substr(0, end);
    prelude.remove_prefix(end == prelude.npos ? prelude.size() : end + 1);
    if (line.starts_with(mark)) {
      const std::string_view name = line.substr(std::min(line.size(), mark.size() + 1));
      parts.push_back({.name = name, .taken = name.empty()});
    } else {
      parts.back().text += std::string(line) + "\n";
    }
  }
  return parts;
}

bool uses(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const auto before = static_cast<unsigned char>(at == 0 ? ' ' : text[at - 1]);
    if (std::isalnum(before) == 0 && before != '_') return true;
  }
  return false;
}

std::string taken_text(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts)
    if (part.taken) text += part.text;
  return text;
}

}  // namespace

std::string whole_prelude(std::string_view prelude, std::string_view mark) {
  std::vector<Part> parts = parts_of(prelude, mark);
  for (Part& part : parts) part.taken = true;
  return taken_text(parts);
}

std::string prelude_for(std::string_view body, std::string_view prelude, std::string_view mark) {
  std::vector<Part> parts = parts_of(prelude, mark);
  for (bool grows = true; grows;) {
    grows = false;
    const std::string text = taken_text(parts) + std::string(body);
    for (Part& part : parts) {
      if (part.taken || !uses(text, part.name)) continue;
      part.taken = grows = true;
    }
  }
  return taken_text(parts);
}

}  // namespace upcast::fuzz::internal
