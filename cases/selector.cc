#include "cases/selector.h"

#include <algorithm>

#include "cases/spelled_values.h"
#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

bool all_match(const std::vector<CasePattern::Pattern>& patterns, const Operand& operand) {
  return std::all_of(
      patterns.begin(), patterns.end(),
      [&operand](const CasePattern::Pattern& pattern) { return pattern->matches(operand); });
}

/// Whether any case of the row may spell elements out.
bool may_spell_values(const GridRow& row) {
  const auto spells = [](const Operand& operand) { return spells_values(operand); };
  return spells_values(row.prototype) ||
         std::any_of(row.axes.begin(), row.axes.end(), [&](const Axis& axis) {
           return std::any_of(axis.begin(), axis.end(), spells);
         });
}

}  // namespace

bool CasePattern::settings_match(const Case& c, bool spelled) const {
  const auto wanted = [this](std::size_t bit) { return (value_classes >> bit & 1) != 0; };
  return defaults.contains(c.defaults.floating) && (!device || *device == c.device) &&
         (wanted(static_cast<std::size_t>(c.values)) ||
          (spelled && wanted(kValueClassNames.size())));
}

const CasePattern::ParameterPatterns* CasePattern::patterns_of(const Case& c) const {
  const auto found = callables.find(c.callable());
  return found == callables.end() ? nullptr : &found->second;
}

bool CasePattern::matches(const Case& c) const {
  const ParameterPatterns* patterns = patterns_of(c);
  if (patterns == nullptr || !settings_match(c, spells_values(c))) return false;
  if (out && !out->matches(c.out)) return false;
  for (std::size_t i = 0; i < patterns->size(); ++i)
    if (!all_match((*patterns)[i], c.arguments[i])) return false;
  return true;
}

bool CasePattern::matches_any(const GridRow& row) const {
  const Case& c = row.prototype;
  const ParameterPatterns* patterns = patterns_of(c);
  if (patterns == nullptr || !settings_match(c, may_spell_values(row))) return false;
  const auto any = [&row](int position, const Operand& fixed, const std::vector<Pattern>& wanted) {
    const auto at = std::find(row.positions.begin(), row.positions.end(), position);
    if (at == row.positions.end()) return all_match(wanted, fixed);
    const Axis& axis = row.axes[at - row.positions.begin()];
    return std::any_of(axis.begin(), axis.end(),
                       [&wanted](const Operand& operand) { return all_match(wanted, operand); });
  };
  if (out && !any(kOutPosition, c.out, {out})) return false;
  for (std::size_t i = 0; i < patterns->size(); ++i)
    if (!any(static_cast<int>(i), c.arguments[i], (*patterns)[i])) return false;
  return true;
}

void Selector::add(std::string_view text) {
  try {
    alternatives_.push_back(CasePattern::parse(text));
  } catch (const SyntaxFault& fault) {
    throw UsageError("column " + std::to_string(fault.position + 1) + ": " +
                     visible(fault.message));
  }
}

std::set<std::string_view> Selector::callables() const {
  std::set<std::string_view> callables;
  for (const CasePattern& pattern : alternatives_)
    for (const auto& [callable, patterns] : pattern.callables) callables.insert(callable);
  return callables;
}

std::set<std::string_view> Selector::ops() const {
  std::set<std::string_view> ops;
  for (const std::string_view callable : callables())
    ops.insert(find_callable(callable).op->spec->name);
  return ops;
}

bool Selector::matches(const Case& c) const {
  return std::any_of(alternatives_.begin(), alternatives_.end(),
                     [&c](const CasePattern& pattern) { return pattern.matches(c); });
}

bool Selector::matches_any(const GridRow& row) const {
  return std::any_of(alternatives_.begin(), alternatives_.end(),
                     [&row](const CasePattern& pattern) { return pattern.matches_any(row); });
}

}  // namespace upcast
