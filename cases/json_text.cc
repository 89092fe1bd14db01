#include "cases/json_text.h"

#include "cases/limits.h"
#include "cases/visible.h"

namespace upcast {
namespace {

using nlohmann::json;

/// Whether JSON text nests no deeper than kMaxNesting and has no more commas than kMaxElements,
/// outside of quoted text.
bool is_within_limits(std::string_view text) {
  std::size_t depth = 0, commas = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '\\')
      ++i;
    else if (c == '"')
      is_quoted = !is_quoted;
    else if (is_quoted)
      continue;
    else if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
    else if (c == ',')
      ++commas;
    if (depth > kMaxNesting || commas >= kMaxElements) return false;
  }
  return true;
}

bool is_hidden(std::string_view text) { return first_hidden(text) != text.npos; }

void make_visible(json& value) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    if (is_hidden(text)) text = visible(text);
  } else if (value.is_array()) {
    for (json& element : value) make_visible(element);
  } else if (value.is_object()) {
    json renamed = json::object();
    for (const auto& [key, element] : value.items()) {
      make_visible(element);
      if (is_hidden(key)) renamed[visible(key)] = element;
    }
    if (renamed.empty()) return;
    auto& object = value.get_ref<json::object_t&>();
    std::erase_if(object, [](const auto& entry) { return is_hidden(entry.first); });
    value.update(renamed);
  }
}

}  // namespace

json read_json(std::string_view text) {
  json value = is_within_limits(text) ? json::parse(text, nullptr, /*allow_exceptions=*/false)
                                      : json(json::value_t::discarded);
  make_visible(value);
  return value;
}

template <class Json>
std::string dump_json(const Json& json, int indent) {
  constexpr auto kReplace = Json::error_handler_t::replace;
  std::string text = json.dump(indent, ' ', false, kReplace);
  // dump() has escaped control characters. If another hidden character is left, a second dump
  // escapes all that is not ASCII.
  return first_hidden(text, "\n") == text.npos ? text : json.dump(indent, ' ', true, kReplace);
}

template std::string dump_json(const nlohmann::json&, int);
template std::string dump_json(const nlohmann::ordered_json&, int);

}  // namespace upcast
