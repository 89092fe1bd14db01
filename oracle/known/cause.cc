#include "oracle/known/cause.h"

#include <string>
#include <string_view>

#include "oracle/known/known_models.h"

namespace upcast {
namespace {

constexpr std::string_view kJoint = " | ";
constexpr std::string_view kValues = ", values=";
constexpr std::string_view kModel = "model:";

/// Removes the value classes, as "values=special" or "values={special,random}", from a selector.
std::string without_values(std::string_view alternative) {
  const std::size_t at = alternative.find(kValues);
  if (at == alternative.npos) return std::string(alternative);
  std::size_t end = at + kValues.size();
  const std::string_view closing = alternative[end] == '{' ? "}" : ",)";
  end = alternative.find_first_of(closing, end);
  if (closing == "}") ++end;
  return std::string(alternative.substr(0, at)) + std::string(alternative.substr(end));
}

std::string wider(std::string_view alternative, bool any_operands) {
  if (any_operands) return std::string(alternative.substr(0, alternative.find('('))) + "(...)";
  return without_values(alternative);
}

}  // namespace

std::shared_ptr<const Selector> calls_of_cause(const KnownDifference& entry) {
  const bool hangs = entry.is_of("timeout");
  const bool trap = entry.wrong_answer == "crash(SIGFPE)";
  if (entry.is_of("crash") && !trap) return entry.selector;
  const bool has_model = entry.wrong_answer.starts_with(kModel);
  auto calls = std::make_shared<Selector>();
  if (has_model && find_known_model(entry.wrong_answer.substr(kModel.size()))->knows_every_op()) {
    calls->add("*(...)");
    return calls;
  }
  std::string_view rest = entry.selector_text;
  while (true) {
    const std::size_t end = rest.find(kJoint);
    calls->add(wider(rest.substr(0, end), trap || hangs || has_model));
    if (end == rest.npos) return calls;
    rest.remove_prefix(end + kJoint.size());
  }
}

}  // namespace upcast
