#include "fuzz/widened_known.h"

#include <string>
#include <string_view>

namespace upcast::fuzz {
namespace {

constexpr std::string_view kJoint = " | ";
constexpr std::string_view kValues = ", values=";

/// Without what it says about value classes: "values=special", "values={special,random}".
std::string without_values(std::string_view alternative) {
  const std::size_t at = alternative.find(kValues);
  if (at == alternative.npos) return std::string(alternative);
  std::size_t end = at + kValues.size();
  const std::string_view closing = alternative[end] == '{' ? "}" : ",)";
  end = alternative.find_first_of(closing, end);
  if (closing == "}") ++end;
  return std::string(alternative.substr(0, at)) + std::string(alternative.substr(end));
}

/// The fault lies in a conversion, which any op may end in.
bool is_of_a_conversion(const KnownDifference& entry) {
  return entry.wrong_answer == "model:rounded_through_float32" ||
         entry.wrong_answer == "model:operands_through_float32" ||
         entry.wrong_answer == "model:e8m0_by_the_bits_of_float32";
}

/// Of high degrees ours errs beyond its bounds too (impl/ops/orthogonal_polynomial.h), which no
/// grid has.
bool is_of_degrees(const KnownDifference& entry) {
  return entry.wrong_answer == "model:polynomial_in_the_dtype";
}

std::string wider(std::string_view alternative, bool any_operands) {
  if (any_operands) return std::string(alternative.substr(0, alternative.find('('))) + "(...)";
  return without_values(alternative);
}

}  // namespace

std::vector<KnownDifference> widened(std::vector<KnownDifference> entries) {
  for (KnownDifference& entry : entries) {
    if (is_of_a_conversion(entry)) entry.selector_text = "*(*)";
    const bool death = entry.kind == "crash" || entry.kind == "timeout";
    const bool trap = entry.wrong_answer == "crash(SIGFPE)";
    if (death && !trap) continue;
    const bool exact = trap || entry.wrong_answer.starts_with("model:");
    std::string_view rest = entry.selector_text;
    auto selector = std::make_shared<Selector>();
    std::string text;
    while (true) {
      const std::size_t end = rest.find(kJoint);
      const std::string one = wider(rest.substr(0, end), exact);
      selector->add(one);
      text += (text.empty() ? "" : std::string(kJoint)) + one;
      if (end == rest.npos) break;
      rest.remove_prefix(end + kJoint.size());
    }
    if (is_of_degrees(entry)) entry.both_off = selector;
    entry.selector = std::move(selector);
    entry.selector_text = std::move(text);
  }
  return entries;
}

}  // namespace upcast::fuzz
