#include "fuzz/findings/minimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/ordinary.h"
#include "cases/simplify.h"
#include "cases/values.h"
#include "impl/core/dtype_set.h"
#include "impl/core/error.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr int kMostDTypes = 4;  // other dtypes of a category that are asked; see of_category()
constexpr std::int64_t kFewElements = 32;
constexpr std::int64_t kMaxSpelledOut = 1 << 16;  // elements

/// The case with its elements spelled out, instead of a value class that makes them.
Case with_values(Case c) {
  for (const int i : tensor_arguments(c)) {
    Operand& operand = c.operand(i);
    const bool wanted = operand.values.empty() && operand.shares == kOwnStorage &&
                        element_count(operand) > 0 && element_count(operand) <= kMaxSpelledOut;
    if (wanted) operand.values = operand_values(c, i);
  }
  c.values = ValueClass::kSmall;
  c.seed = 0;
  return c;
}

/// The case as vectors: each operand is broadcast to the common shape and then laid out in one
/// dimension. Nothing if an operand shares storage, or if the shapes do not broadcast.
std::optional<Case> flattened(const Case& c) {
  Dims shape;
  std::vector<int> positions;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (operand.shares != kOwnStorage || operand.values.empty()) return std::nullopt;
    if (element_count(operand) > numel(shape) || shape.size() < operand.sizes.size())
      shape = operand.sizes;
    if (!operand.sizes.empty()) positions.push_back(i);
  }
  Case flat = c;
  for (const int i : positions) {
    Operand& operand = flat.operand(i);
    const std::vector<std::byte> bytes = broadcast_values(c, i, shape);
    if (bytes.empty()) return std::nullopt;
    operand.values = bytes;
    operand.sizes = {numel(shape)};
    operand.strides.clear();
    operand.offset = 0;
  }
  for (const int i : {kOutPosition, kSecondOutPosition}) {
    Operand& out = flat.operand(i);
    if (out.tag != Tag::kTensor) continue;
    if (out.shares != kOwnStorage) return std::nullopt;
    out.sizes = {numel(shape)};
    out.strides.clear();
    out.values.clear();
    out.offset = 0;
  }
  return flat;
}

/// The case in which every element of a tensor is a copy of its element `at`. Nothing if that
/// changes nothing.
std::optional<Case> uniform(const Case& c, std::int64_t at) {
  Case alike = c;
  for (const int i : tensor_arguments(c)) {
    Operand& operand = alike.operand(i);
    if (operand.values.empty() || element_count(operand) <= at) continue;
    const std::ptrdiff_t size = itemsize(operand.dtype);
    const std::vector<std::byte> element(operand.values.begin() + at * size,
                                         operand.values.begin() + (at + 1) * size);
    for (auto to = operand.values.begin(); to != operand.values.end(); to += size)
      std::copy(element.begin(), element.end(), to);
  }
  if (alike == c) return std::nullopt;
  return alike;
}

/// How odd each operand's element `element` is: how far from what a person would write. The oddest
/// comes first.
std::vector<Oddity> oddities(const Case& c, std::int64_t element) {
  std::vector<Oddity> found;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (operand.values.empty() || !kElementwise.contains(operand.dtype)) continue;
    const std::int64_t at = element_count(operand) > element ? element : 0;
    const DType real = to_real(operand.dtype);
    const std::byte* const first = operand.values.data() + at * itemsize(operand.dtype);
    found.push_back(oddity(real, first));
    if (is_complex(operand.dtype))
      found.push_back(oddity(real, first + itemsize(real), Part::kImaginary));
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

/// The errors of the kind of `worst`, in the order in which to try them. Errors at least half as
/// large come first, those with the most ordinary operands ahead. The smaller errors follow.
std::vector<ElementError> to_be_shown(const Case& c, const std::vector<ElementError>& errors,
                                      const ElementError& worst) {
  std::vector<ElementError> found;
  for (const ElementError& error : errors)
    if (error.wrong_kind == worst.wrong_kind && error.result == 0) found.push_back(error);
  const auto weaker = std::stable_partition(found.begin(), found.end(), [&](const auto& error) {
    return error.grade == worst.grade && error.relative >= worst.relative / 2;
  });
  std::stable_sort(found.begin(), weaker, [&](const auto& a, const auto& b) {
    return oddities(c, a.element) < oddities(c, b.element);
  });
  return found;
}

/// The other dtypes of a category that must all show a difference before the category can stand for
/// the dtype.
std::vector<DType> of_category(DType dtype) {
  if (is_integral(dtype))
    return {DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64};
  if (is_complex(dtype)) return {DType::kComplex64, DType::kComplex128};
  if (is_floating(dtype))
    return {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64};
  return {};
}

bool is_shown(const std::vector<ElementError>& errors, const ElementError& first) {
  return std::any_of(errors.begin(), errors.end(),
                     [&](const auto& error) { return is_of_the_order(error, first); });
}

std::string why_another_cause(const Shown& found, const Shown& first) {
  if (!found.signature) return found.why_not.empty() ? "nothing differs" : found.why_not;
  if (found.known != first.known)
    return found.known.empty() ? "no known difference explains it"
                               : "the known difference " + found.known + " explains it";
  return "";
}

std::string why_weaker(const Shown& found, const ElementError& first) {
  if (is_shown(found.errors, first)) return "";
  return found.errors.empty() ? "no value differs"
                              : found.errors.front().text() + ", first " + first.text();
}

class Minimizer {
 public:
  Minimizer(const Case& c, const Show& show, const Trace& trace) : show_(show), trace_(trace) {
    found_.c = c;
    found_.c.expectation.reset();
    asked_.insert(print_case(found_.c));
    first_ = now_ = ask(found_.c);
    if (!first_.signature)
      throw UsageError("nothing differs in " + print_case(c) + "; there is nothing to minimize");
    found_.signature = *first_.signature;
    if (const ElementError* worst = worst_of_its_kind(first_.errors)) found_.first_error = *worst;
    found_.last_error = found_.first_error;
  }

  MinimalCase run() {
    accept("spelled values", with_values(found_.c));
    if (const auto flat = flattened(found_.c)) accept("one dimension", *flat);
    show_one_element();
    while (round()) continue;
    abstract_dtypes();
    return end();
  }

  MinimalCase end() {
    if (const ElementError* worst = worst_of_its_kind(now_.errors)) found_.last_error = *worst;
    return std::move(found_);
  }

 private:
  /// How many questions abstract_dtypes() needs at the end. They are reserved, so that the
  /// signature does not depend on the limit of questions.
  int reserved() const {
    return kMostDTypes * static_cast<int>(tensor_arguments(found_.c).size() + 2);
  }

  bool may_ask() {
    if (found_.examined + reserved() < kMostQuestions) return true;
    found_.limit_reached = true;
    return false;
  }

  Shown ask(const Case& c) {
    ++found_.examined;
    return show_(c);
  }

  void tell(std::string_view what, const Case& c, const std::string& why) const {
    if (trace_) trace_({.what = what, .c = c, .kept = why.empty(), .why = why});
  }

  /// Asks about a case that was not asked before, and keeps it if `why_not` returns "". Otherwise
  /// `why_not` says why the case is not kept.
  template <class WhyNot>
  bool accept_if(std::string_view what, const Case& c, WhyNot why_not) {
    if (!asked_.insert(print_case(c)).second || !may_ask()) return false;
    Shown shown = ask(c);
    const std::string why = why_not(shown);
    tell(what, c, why);
    if (!why.empty()) return false;
    found_.c = c;
    found_.signature = *shown.signature;
    now_ = std::move(shown);
    ++found_.steps;
    return true;
  }

  std::string why_not_as_first(const Shown& shown) const {
    return why_not_the_same(shown, first_, found_.first_error ? &*found_.first_error : nullptr);
  }

  bool accept(std::string_view what, const Case& c) {
    return accept_if(what, c, [this](const Shown& shown) { return why_not_as_first(shown); });
  }

  /// Keeps the worst element alone, or copies of it in all places of its vectors. Later steps must
  /// keep the error of the first case that shows the same cause: a worse error has another cause.
  void show_one_element() {
    constexpr std::size_t kMostTried = 32;
    if (!found_.first_error || found_.first_error->result != 0) return;
    std::vector<ElementError> errors = to_be_shown(found_.c, now_.errors, *found_.first_error);
    errors.resize(std::min(errors.size(), kMostTried));
    const Case whole = found_.c;
    for (const ElementError& error : errors) {
      const auto why_not = [&](const Shown& shown) {
        const std::string cause = why_another_cause(shown, first_);
        if (!cause.empty()) return cause;
        if (shown.signature->kind != first_.signature->kind)
          return "another difference: " + shown.signature->essence();
        return why_weaker(shown, error);
      };
      const std::optional<Case> one = with_elements(whole, error.element);
      const std::optional<Case> alike = uniform(whole, error.element);
      if ((one && accept_if("one element", *one, why_not)) ||
          (alike && accept_if("alike elements", *alike, why_not))) {
        first_.signature = found_.signature;
        if (!is_of_the_order(error, *found_.first_error)) found_.first_error = error;
        return;
      }
    }
  }

  /// Tries every kind of simplification once. Returns whether any step was kept.
  bool round() {
    const int before = found_.steps;
    for (std::size_t i = 0; i < kSimplificationNames.size(); ++i) {
      const auto how = static_cast<Simplification>(i);
      const bool is_done = how == Simplification::kElements && found_.first_error;
      if (is_done) continue;  // show_one_element() has already picked the element
      while (accept_one_of(how)) continue;
    }
    return found_.steps > before;
  }

  bool accept_one_of(Simplification how) {
    const auto why_not = [&](const Shown& shown) {
      return how == Simplification::kDTypes ? why_not_in_another_dtype(shown)
                                            : why_not_as_first(shown);
    };
    for (const Case& simpler : simpler_cases(found_.c, how, nullptr, kFewElements))
      if (accept_if(name(how), simpler, why_not)) return true;
    return false;
  }

  /// Why a case in another dtype is not kept; "" if it is. One entry may declare several causes,
  /// and a dtype of fewer digits may show another one of them. A sign of that is an error that
  /// grows by more than an order of magnitude.
  std::string why_not_in_another_dtype(const Shown& shown) const {
    std::string why = why_not_as_first(shown);
    if (!why.empty() || !found_.first_error) return why;
    const double now = worst_of_its_kind(now_.errors)->relative;
    const ElementError& worst = *worst_of_its_kind(shown.errors);
    if (worst.relative * kKeptPart <= now) return "";
    return fmt::format("{}, but it was {:.2g} before: perhaps another cause", worst.text(), now);
  }

  /// Replaces dtypes in the signature by their categories if every dtype of the category shows the
  /// difference. A signature's operands stand in the order of the given arguments, then outputs.
  void abstract_dtypes() {
    std::size_t at = 0;
    const auto visit = [&](int position) {
      const Operand& operand = found_.c.operand(position);
      if (operand.tag == Tag::kAbsent) return;
      SignatureOperand& abstracted = found_.signature.operands.at(at++);
      if (operand.tag == Tag::kTensor) abstracted.any_of_category = any_dtype_will_do(position);
    };
    for (int i = 0; i < static_cast<int>(found_.c.arguments.size()); ++i) visit(i);
    visit(kOutPosition);
    visit(kSecondOutPosition);
  }

  bool any_dtype_will_do(int position) {
    const DType own = found_.c.operand(position).dtype;
    const std::vector<DType> dtypes = of_category(own);
    if (std::find(dtypes.begin(), dtypes.end(), own) == dtypes.end()) return false;
    return std::all_of(dtypes.begin(), dtypes.end(), [&](DType dtype) {
      if (dtype == own) return true;
      const Case other = with_dtype(found_.c, position, dtype);
      const std::string why = why_not_in_another_dtype(ask(other));
      tell("any dtype", other, why.empty() ? "only asked" : why);
      return why.empty();
    });
  }

  const Show& show_;
  const Trace& trace_;
  MinimalCase found_;
  Shown first_, now_;
  std::set<std::string> asked_;
};

}  // namespace

const ElementError* worst_of_its_kind(const std::vector<ElementError>& errors) {
  if (errors.empty()) return nullptr;
  const auto first =
      std::min_element(errors.begin(), errors.end(), [](const auto& a, const auto& b) {
        return std::tie(a.result, a.element) < std::tie(b.result, b.element);
      });
  return &*std::find_if(errors.begin(), errors.end(), [&](const auto& error) {
    return error.wrong_kind == first->wrong_kind && error.result == first->result;
  });
}

std::string why_not_the_same(const Shown& found, const Shown& first,
                             const ElementError* first_error) {
  const std::string cause = why_another_cause(found, first);
  if (!cause.empty()) return cause;
  if (found.signature->essence() != first.signature->essence())
    return "another difference: " + found.signature->essence();
  return first_error == nullptr ? "" : why_weaker(found, *first_error);
}

MinimalCase as_it_is(const Case& c, const Show& show) { return Minimizer(c, show, {}).end(); }

MinimalCase minimize(const Case& c, const Show& show, const Trace& trace) {
  return Minimizer(c, show, trace).run();
}

}  // namespace upcast::fuzz
