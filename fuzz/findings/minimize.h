// Finds the simplest case that shows the same difference with the same cause.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "fuzz/findings/element_error.h"
#include "oracle/signature.h"

namespace upcast::fuzz {

/// The difference that a case shows.
struct Shown {
  /// Nothing if the sides agree, or if the difference is not the finding's.
  std::optional<Signature> signature{};
  std::string known{};                 // the known difference that explains it; may be ""
  std::vector<ElementError> errors{};  // for a difference in values, the worst first
  std::string why_not{};               // without a signature: why there is none
};

using Show = std::function<Shown(const Case& c)>;

/// A question of the minimiser, and what became of it.
struct Move {
  std::string_view what;  // "another dtype"
  const Case& c;
  bool kept = false;
  std::string why{};  // why it was not kept
};

using Trace = std::function<void(const Move& move)>;

/// Questions about one finding, the first one included. Most findings need fewer than 250. The
/// others need thousands, each of which may start a side that died, and a campaign has a minute for
/// a finding.
inline constexpr int kMostQuestions = 400;

struct MinimalCase {
  Case c;
  Signature
      signature;     // dtypes stand for their category where the difference does not depend on them
  int steps = 0;     // how many simplifications were kept
  int examined = 0;  // how many cases were asked, kMostQuestions at most
  bool limit_reached = false;  // whether the limit ended it: the case may not be the simplest
  /// For a difference in values: the worst error of the first case that shows it alone, and that of
  /// the last case.
  std::optional<ElementError> first_error{}, last_error{};
};

/// The case itself as the result, with what it shows.
MinimalCase as_it_is(const Case& c, const Show& show);

/// Takes the steps of cases/simplify.h, the boldest first. A step is kept if it keeps the cause:
/// the essence of the signature, and the known difference that explains it (or that none does). For
/// values it must also keep the wrong kind and the order of magnitude of the error
/// (is_of_the_order). In another dtype the error may not grow by more than an order either. Values
/// are spelled out first. Then the worst element is shown alone, or in all places of a vector, if
/// its path needs one. The expectation of the line is dropped. Throws UsageError if the sides
/// agree.
MinimalCase minimize(const Case& c, const Show& show, const Trace& trace = {});

/// Why a case does not show what the first one did: another cause, or a weaker error. "" if it
/// does. `first_error`: null if the difference is not in values.
std::string why_not_the_same(const Shown& found, const Shown& first,
                             const ElementError* first_error);

/// The worst of the errors that have the kind of the first element that differs; null if no element
/// differs.
const ElementError* worst_of_its_kind(const std::vector<ElementError>& errors);

}  // namespace upcast::fuzz
