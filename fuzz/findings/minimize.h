// Finds the simplest case that shows the same difference with the same cause as a given case.
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
  /// Nothing if the sides agree, or if the difference is not the one that is minimised.
  std::optional<Signature> signature{};
  std::string known{};  // id of the known difference that explains the case; "": none
  std::vector<ElementError> errors{};  // if values differ: the worst error first
  std::string why_not{};               // why there is no signature; "" if there is one
};

using Show = std::function<Shown(const Case& c)>;

/// A question of the minimiser: a simpler case, and whether it was kept.
struct Move {
  std::string_view what;  // "another dtype"
  const Case& c;
  bool kept = false;
  std::string why{};  // why the case was not kept; "" if it was
};

using Trace = std::function<void(const Move& move)>;

/// The most questions that the minimiser asks about one finding, the first one included. Most
/// findings need fewer than 250. The others need thousands, and each question may start a side
/// again that died. A campaign has a minute for a finding.
inline constexpr int kMostQuestions = 400;

struct MinimalCase {
  Case c;
  Signature signature;         // with categories for dtypes on which the difference does not depend
  int steps = 0;               // how many simplifications were kept
  int examined = 0;            // how many cases were asked, kMostQuestions at most
  bool limit_reached = false;  // the limit of questions ended it: perhaps not the simplest case
  /// If values differ: the worst error of the first case that has only one element, and that of the
  /// minimal case.
  std::optional<ElementError> first_error{}, last_error{};
};

/// A result without any simplification: the case itself, with what it shows.
MinimalCase as_it_is(const Case& c, const Show& show);

/// Simplifies a case by the steps of cases/simplify.h, the boldest first. A step is kept if it
/// keeps the cause: the essence of the signature, and the known difference that explains the case
/// (or that none does). For values it must also keep the wrong kind and the order of magnitude of
/// the error (is_of_the_order). In another dtype the error may not grow by more than an order
/// either. Values are spelled out first. Then the worst element is shown alone, or in all places of
/// a vector if its path needs one. The expectation of the line is dropped. Throws UsageError if the
/// sides agree.
MinimalCase minimize(const Case& c, const Show& show, const Trace& trace = {});

/// Why a case does not show what the first case did: another cause, or a weaker error. "" if it
/// does. `first_error`: null if the difference is not in values.
std::string why_not_the_same(const Shown& found, const Shown& first,
                             const ElementError* first_error);

/// The worst of the errors that have the same kind as the error of the first element. Null if no
/// element differs.
const ElementError* worst_of_its_kind(const std::vector<ElementError>& errors);

}  // namespace upcast::fuzz
