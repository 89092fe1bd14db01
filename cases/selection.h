// A selection: some ops, forms, dtypes, kinds of operands and devices of all calls. A run is
// narrowed to what its user selects (upcast run --ops), and to what its subject claims
// (oracle/plugin/manifest.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/case.h"
#include "impl/core/dtype_set.h"

namespace upcast {

inline constexpr std::array<std::string_view, 3> kFormNames{"functional", "in_place", "out"};
/// The kinds of operands in a Tensor slot: a tensor with dimensions, one without, a number.
inline constexpr std::array<std::string_view, 3> kKindNames{"dim", "zero-dim", "wrapped"};

/// A selection. An empty field limits nothing.
struct Selection {
  using Bits = unsigned;  // bit i: the form, kind or device with code i
  static constexpr Bits kAll = 7;

  /// The selected overloads, each with its forms. Nothing: all overloads.
  std::optional<std::unordered_map<const Schema*, Bits>> ops{};
  Bits forms = kAll;
  DTypeSet dtypes = every_dtype();
  Bits kinds = kAll;
  Bits devices = kAll;

  /// Whether the selection has the op of a case, in the case's overload and form.
  bool has(const Case& c) const;
  /// Why the selection excludes a case: "no such op", "no such form: out", "no such dtype: int8",
  /// "no such kind: wrapped", "no such device: cuda". "" if it has the case. A default dtype that
  /// is not PyTorch's own must be one of the selected dtypes. The text lives as long as the
  /// program.
  std::string_view why_not(const Case& c) const;
  /// Why the selection excludes a case with this operand at `position`; "" if it does not. The text
  /// is a literal.
  std::string_view why_not(const Case& c, int position, const Operand& operand) const;

  /// The selection as JSON with the keys of a manifest, and "kinds". "{}" if it limits nothing.
  std::string text() const;
  /// Reads a selection from the JSON that text() writes. Throws UsageError.
  static Selection parse(std::string_view text);

  bool operator==(const Selection&) const = default;

 private:
  static DTypeSet every_dtype();
  /// Why the selection excludes the op, overload or form of a case: "no such op", "no such form:
  /// out", or "".
  std::string_view why_not_call(const Case& c) const;
};

/// The selection of the calls that both selections have.
Selection operator&(Selection a, const Selection& b);

/// The selection in the words of `upcast run`'s options. An empty text or list limits nothing.
struct SelectionWords {
  std::vector<std::string> ops{};  // globs of ops ("add"), names ("mul") or callables ("add_.*")
  std::string dtypes{};            // "float32,floating,!float8": a set as in cases/selector.h
  std::string forms{};             // "functional,out"
  std::string kinds{};             // "dim,zero-dim"

  bool empty() const { return ops.empty() && dtypes.empty() && forms.empty() && kinds.empty(); }
  /// The words as options of the command line: "--ops add --dtypes float32".
  std::string text() const;
};

/// Reads a selection. Throws UsageError, one line that names the option and the nearest known word.
Selection parse_selection(const SelectionWords& words);

}  // namespace upcast
