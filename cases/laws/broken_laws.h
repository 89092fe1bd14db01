// Laws that a side is known to break, in cases/laws/broken_laws.toml:
//
//   [[broken]]
//   id = "complex32-has-few-kernels"
//   law = "widening"          # or a list
//   kind = "refusal"          # dtype, shape, value, or a list
//   select = '*(float16[?], number:complex, ...)'   # the call at fault, or a list; see selector.h
//   common = "complex32"      # optional: the operands' common dtypes, DTYPES of selector.h
//   witnesses = 'clone(*)'    # optional: the calls that contradict it; absent: any
//   class = "bug"             # bug, by_design, ambiguous
//   libtorch = ">=2.15,<2.16"
//   reason = "..."
//   found = "2026-11-23"
//   link = "https://..."      # optional: a thread or page about exactly this
//   case = 'sin(...)'         # a case that breaks the law, and that the selector names
//   witness = 'path: sin(...)'   # the call of the same side that contradicts the case
//
// They are no known differences: in most of them our implementation does as LibTorch does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/laws/call_pair.h"
#include "cases/selector.h"

namespace upcast {

struct BrokenLaw {
  std::string id;
  std::vector<Law> laws;
  std::vector<std::string> kinds;
  std::shared_ptr<const Selector> selector;
  std::optional<DTypeSet> common;             // limits the common dtypes; nothing: any, or none
  std::shared_ptr<const Selector> witnesses;  // null: any
  std::string broken_class;
  std::string versions;
  std::string reason;
  std::string found;
  std::string link;  // a thread or page about exactly this; "": none
  std::string case_line;
  std::string witness;  // the contradicting call, without "path: "

  /// Whether the entry is about this pair of calls: its law, kind, selector, common dtype and
  /// witnesses all match.
  bool names(Law law, std::string_view kind, const Case& call, const Case& witness) const;

 private:
  bool has_common(const Case& call) const;
};

/// The entries in file order. Throws UsageError with file and line for: a text that is not TOML, an
/// unknown or missing key, an empty value, an unknown law, class or kind, a bad selector or case,
/// an entry that does not select its own case and witness, an id that is used twice.
std::vector<BrokenLaw> parse_broken_laws(std::string_view toml, std::string_view file_name);

/// The entries of cases/laws/broken_laws.toml, as it was at build time.
const std::vector<BrokenLaw>& broken_laws();

}  // namespace upcast
