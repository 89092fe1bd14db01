// Find the simplest case that shows the same difference, of the same cause.
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
  /// Nothing where nothing differs, or where the difference has nothing to do with the finding.
  std::optional<Signature> signature{};
  std::string known{};                 // the known difference that explains it, may be ""
  std::vector<ElementError> errors{};  // of values, the worst first
  std::string why_not{};               // without a signature: why there is none
};

using Show = std::function<Shown(const Case& c)>;

/// A question of the minimiser and its result.
struct Move {
  std::string_view what;  // "another dtype"
  const Case& c;
  bool kept = false;
  std::string why{};  // it was not kept
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
  int steps = 0;     // simplifications that were kept
  int examined = 0;  // cases that were asked for, kMostQuestions at most
  bool limit_reached = false;  // so that the case may not be the simplest
  /// For a difference in values: the worst error of the first case that shows it alone, and that of
  /// the case that was found in the end.
  std::optional<ElementError> first_error{}, last_error{};
};

/// The case as it is, with what it shows.
MinimalCase as_it_is(const Case& c, const Show& show);

/// Walks down the steps of cases/simplify.h, the boldest first. A step is kept where it keeps the
/// cause: the essence of the signature, the known difference that explains it (or that none does),
/// and of values the wrong kind and the order of magnitude of the error (is_of_the_order), which in
/// another dtype may not grow by more than an order either. Values are spelled out first. Then the
/// worst element is shown alone, or as all elements of a vector, if its path needs one. The
/// expectation of the line is dropped. Throws UsageError where nothing differs.
MinimalCase minimize(const Case& c, const Show& show, const Trace& trace = {});

/// Why a case does not show what the first one did: another cause, a weaker error. "" where it
/// does. `first_error`: null where the difference is none of values.
std::string why_not_the_same(const Shown& found, const Shown& first,
                             const ElementError* first_error);

/// The worst of the errors that are of the kind of the first element that differs; null where no
/// element does.
const ElementError* worst_of_its_kind(const std::vector<ElementError>& errors);

}  // namespace upcast::fuzz
