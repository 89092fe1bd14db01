#include "fuzz/findings/public_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/operand_text.h"
#include "cases/python/question.h"
#include "fuzz/findings/reproducer.h"
#include "fuzz/findings/short_program.h"
#include "impl/core/error.h"

namespace upcast::fuzz::internal {

/// The text of torch_names.json, which tools/findings/torch_names.py makes and CMake embeds.
extern const char kTorchNames[];

namespace {

using Json = nlohmann::json;

/// The names that Python has for an operator; an empty object if it has none.
Json names_of(const std::string& name) {
  static const Json kNames = Json::parse(kTorchNames);
  return kNames.value(name, Json::object());
}

std::string sign_of(const std::string& name) {
  for (const auto& [word, sign] :
       {std::pair{"and", "&"}, {"or", "|"}, {"xor", "^"}, {"lshift", "<<"}, {"rshift", ">>"}})
    if (name == fmt::format("__{}__", word)) return sign;
  return "";
}

std::string joined(const std::vector<std::string>& positional, std::size_t first,
                   const std::vector<std::string>& named) {
  std::vector<std::string> all(positional.begin() + static_cast<std::ptrdiff_t>(first),
                               positional.end());
  all.insert(all.end(), named.begin(), named.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

std::vector<std::string> by_name(const WrittenCall& written) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : written.named) texts.push_back(name + "=" + value);
  return texts;
}

/// The named arguments of a call, with a reduction as a word such as "mean": Python's functions
/// take the word, operators take its number.
std::vector<std::string> with_reduction(std::vector<std::string> named) {
  constexpr std::array kNames{"\"none\"", "\"mean\"", "\"sum\""};
  for (std::string& text : named)
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (text == fmt::format("reduction={}", i)) text = std::string("reduction=") + kNames[i];
  return named;
}

/// Whether a function written in Python passes a call's arguments on unchanged. For that, the
/// operands must have one shape, so that it broadcasts nothing, and its parameters must have the
/// operator's names.
bool hands_on(const std::vector<std::string>& parameters, const Case& c,
              const WrittenCall& written) {
  if (!written.outs.empty()) return false;
  for (const auto& [name, operand] : written.tensors)
    if (operand->sizes != written.tensors.front().second->sizes) return false;
  for (std::size_t i = 1; i < written.positional.size(); ++i)
    if (i >= parameters.size() || parameters[i] != c.schema().parameters[i].name) return false;
  return std::all_of(written.named.begin(), written.named.end(), [&](const auto& each) {
    return std::find(parameters.begin(), parameters.end(), each.first) != parameters.end();
  });
}

/// The text of a call by a public name; "" if there is no such name.
std::string by_public_name(const Case& c, const WrittenCall& written) {
  const std::string name = operator_name(c).first;
  const Json known = names_of(name);
  std::vector<std::string> named = by_name(written);
  if (const std::string sign = sign_of(name); !sign.empty() && written.positional.size() == 2)
    return fmt::format("({} {} {})", written.positional[0], sign, written.positional[1]);
  if (known.contains("method") && !written.positional.empty())
    return fmt::format("{}.{}({})", written.positional[0], name,
                       joined(written.positional, 1, named));
  if (!known.contains("function") || (!written.outs.empty() && !known.contains("out"))) return "";
  if (known.contains("parameters")) {
    if (!hands_on(known["parameters"].get<std::vector<std::string>>(), c, written)) return "";
    named = with_reduction(named);
  }
  if (written.outs.size() == 1) named.push_back("out=" + written.outs[0]);
  if (written.outs.size() == 2)
    named.push_back(fmt::format("out=({}, {})", written.outs[0], written.outs[1]));
  return fmt::format("{}({})", known["function"].get<std::string>(),
                     joined(written.positional, 0, named));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Whether Python resolves the text of a call to the overload of the case.
bool leads_to(const Case& c, std::string text, const WrittenCall& written) {
  replace_all(text, "float(\"inf\")", "inf");
  replace_all(text, "float(\"nan\")", "nan");
  std::string given;
  for (const auto& [name, operand] : written.tensors)
    given += fmt::format("{}{}={}{}", given.empty() ? " with " : ", ", name,
                         upcast::name(operand->dtype), print_dims(operand->sizes));
  const python::Compute no_inner_call = [](const Case&) -> Operand {
    throw UsageError("a call in a call");
  };
  try {
    const Case read = read_python_or_fault(text + given, no_inner_call).c;
    // Some ops take no number as a tensor in Python. Python then calls the overload for numbers, of
    // the same name.
    return read.callable() == c.callable() ||
           (needs_another_overload(read) && operator_name(read).first == operator_name(c).first);
  } catch (const SyntaxFault&) {
    return false;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

bool is_method(const std::string& name) { return names_of(name).contains("method"); }

}  // namespace upcast::fuzz::internal

std::string upcast::fuzz::public_name(const Case& c) {
  const std::string name = internal::operator_name(c).first;
  const internal::Json known = internal::names_of(name);
  if (known.contains("function")) return known["function"].get<std::string>();
  return known.contains("method") ? "torch.Tensor." + name : "";
}

namespace upcast::fuzz::internal {

std::string public_call(const Case& c, const WrittenCall& written) {
  const std::string text = by_public_name(c, written);
  // If Python cannot pass the case's number as a tensor, another overload of the name is the
  // intended one.
  return needs_another_overload(c) || leads_to(c, text, written) ? text : "";
}

std::string operator_call(const Case& c, const WrittenCall& written) {
  if (written.outs.size() > 1) return "";
  const auto [name, overload] = operator_name(c);
  std::vector<std::string> named = by_name(written);
  if (!written.outs.empty()) named.push_back("out=" + written.outs[0]);
  return fmt::format("torch.ops.aten.{}.{}({})", name, overload.empty() ? "default" : overload,
                     joined(written.positional, 0, named));
}

}  // namespace upcast::fuzz::internal
