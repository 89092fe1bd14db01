// One selector, resolved in the catalogue. cases/selector.h describes the notation.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/grid.h"
#include "cases/operand_pattern.h"

namespace upcast {

struct CasePattern {
  using Pattern = std::shared_ptr<const OperandPattern>;
  /// The patterns for each parameter of one callable.
  using ParameterPatterns = std::vector<std::vector<Pattern>>;

  /// Throws SyntaxFault.
  static CasePattern parse(std::string_view text);

  bool matches(const Case& c) const;
  bool matches_any(const GridRow& row) const;

  std::unordered_map<std::string_view, ParameterPatterns> callables{};
  Pattern out{};  // null: free
  DTypeSet defaults{};
  std::optional<Device> device{};  // nothing: any
  unsigned value_classes = ~0U;    // bit i: ValueClass i; the next bit: spelled-out elements

 private:
  bool settings_match(const Case& c, bool spelled) const;
  const ParameterPatterns* patterns_of(const Case& c) const;
};

}  // namespace upcast
