// Properties of every op of the catalogue: an element's value does not depend on its place or on
// its neighbours.
#include <algorithm>

#include "cases/values.h"
#include "oracle/same_value.h"
#include "properties/laws.h"
#include "properties/omissions.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

/// The functional callables that have an alias, or an overload with the same parameters.
const std::vector<std::string_view>& aliased_callables() {
  static const std::vector<std::string_view> found = [] {
    std::vector<std::string_view> aliased;
    for (std::string_view callable : elementwise_callables()) {
      const FoundOp each = find_callable(callable);
      if (!is_left_out(of_several_overloads(), *each.op, each.overload, each.form))
        aliased.push_back(callable);
    }
    return aliased;
  }();
  return found;
}
Case draw_aliased(Draw& draw) {
  return draw_call(draw, draw.from(aliased_callables()), {.attributes = 70});
}
const Generator kAliased{"calls of ops with several overloads",
                         &draw_aliased,
                         nullptr,
                         {{"dtype", 12, 1}, {"op", 60, 0.3}},
                         of_several_overloads()};
/// The case with the elements of its vectors in another order.
Case with_elements(const Case& c, const std::vector<std::size_t>& order) {
  Case other = c;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    Operand& operand = other.operand(i);
    if (operand.tag != Tag::kTensor || operand.sizes.size() != 1) continue;
    const std::vector<std::byte> all = operand_values(c, i);
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    operand.values.clear();
    for (std::size_t at : order)
      operand.values.insert(operand.values.end(),
                            all.begin() + static_cast<std::ptrdiff_t>(at * size),
                            all.begin() + static_cast<std::ptrdiff_t>((at + 1) * size));
    operand.sizes = {static_cast<std::int64_t>(order.size())};
  }
  return other;
}

/// The length of the case's tensors, if all are vectors of one length; nothing otherwise.
std::optional<std::size_t> common_length(const Case& c) {
  std::optional<std::size_t> length;
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor) continue;
    if (operand.sizes.size() != 1) return std::nullopt;
    const auto mine = static_cast<std::size_t>(operand.sizes[0]);
    if (length && *length != mine) return std::nullopt;
    length = mine;
  }
  return length;
}

/// Requires that `part` holds the elements that `whole` has at the places in `order`.
void require_elements(const Answer& whole, const std::vector<std::size_t>& order,
                      const Answer& part, const char* what) {
  if (whole.tag != part.tag || whole.dtype != part.dtype)
    RC_FAIL(std::string(what) + ": " + to_text(part) + ", in the vector " + to_text(whole));
  const Elements all(whole), some(part);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (!same_value(whole.dtype, all.at(order[i]), some.at(i)))
      RC_FAIL(std::string(what) + ": " + to_text(part) + ", in the vector " + to_text(whole));
}

/// The system's answer, if it is a vector of this length; nothing otherwise.
std::optional<Answer> vector_answer(const System& system, const Case& c, std::size_t length) {
  Answer whole = system.answer(c);
  if (whole.tag != Answer::Tag::kTensor || whole.sizes != Dims{static_cast<std::int64_t>(length)})
    return std::nullopt;
  return whole;
}

Finding check_alone(const System& system, const Case& c) {
  const std::optional<std::size_t> length = common_length(c);
  if (!length) return Finding::kVacuous;
  const std::optional<Answer> whole = vector_answer(system, c, *length);
  if (!whole) return Finding::kVacuous;
  for (std::size_t i = 0; i<*length; i += *length> 8 ? 5 : 1)
    require_elements(*whole, {i}, system.answer(with_elements(c, {i})), "alone");
  return Finding::kHolds;
}

Finding check_place(const System& system, const Case& c) {
  const std::optional<std::size_t> length = common_length(c);
  if (!length) return Finding::kVacuous;
  const std::optional<Answer> whole = vector_answer(system, c, *length);
  if (!whole) return Finding::kVacuous;
  std::vector<std::size_t> order(*length);
  for (std::size_t i = 0; i < *length; ++i) order[i] = *length - 1 - i;
  require_elements(*whole, order, system.answer(with_elements(c, order)), "reversed");
  return Finding::kHolds;
}

Finding check_repeats(const System& system, const Case& c) {
  const Answer first = system.answer(c);
  require_same("once, and again", first, system.answer(c));
  return finding_of(first);
}

/// Checks that the aliases of a call, which have the same parameters under another name, answer
/// alike.
Finding check_aliases(const System& system, const Case& c) {
  const Answer first = system.answer(c);
  Finding finding = Finding::kVacuous;
  for (int i = 0; i < static_cast<int>(c.op->schemas.size()); ++i) {
    const Schema& other = c.op->schemas[static_cast<std::size_t>(i)];
    const bool alike = std::equal(
        other.parameters.begin(), other.parameters.end(), c.schema().parameters.begin(),
        c.schema().parameters.end(), [](const Parameter& a, const Parameter& b) {
          return a.name == b.name && a.type == b.type && a.default_text == b.default_text;
        });
    if (i == c.overload || !alike || c.op->callable(i, c.form).empty()) continue;
    Case alias = c;
    alias.overload = i;
    require_same(std::string(c.callable()) + ", and " + std::string(alias.callable()), first,
                 system.answer(alias));
    finding = finding_of(first);
  }
  return finding;
}

void nudge_every_other_time(const Case& c, Answer& answer) {
  static int count = 0;
  if (++count % 2 == 0) nudge(c, answer);
}
void nudge_aliases(const Case& c, Answer& answer) {
  if (c.overload > 0) nudge(c, answer);
}
/// Exclusions of cases in which the place of an element matters to LibTorch, because its vector
/// code differs from its scalar code. Each is a known difference.
std::vector<Exclusion> place_matters() {
  return {
      {.system = "libtorch:cpu",
       .reason = "the scalar code and the vector code give zeros of different signs: for two zeros "
                 "one takes the first operand, the other the second",
       .counterexample = "softshrink(float32[17]{-.1,-.1,-.1,-.1,-.1,-.1,-.1,-.1,-.1,"
                         "-.1,-.1,-.1,-.1,-.1,-.1,-.1,-.1})",
       .ops = {"clamp", "softshrink", "lerp", "maximum", "minimum", "clamp_min", "clamp_max",
               "abs"},
       .grounds = "entry: later-of-equal-zeros-in-the-vector-body, "
                  "softshrink-zero-has-no-sign-in-the-vector-body, abs-of-a-negative-float8-zero, "
                  "lerp-zero-has-another-sign-in-the-vector-body"},
      {.system = "libtorch:cpu",
       .reason =
           "where self is NaN the scalar code passes the gradient on, the vector code gives 0 "
           "or NaN",
       .counterexample = "hardswish_backward(float32[17]{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, "
                         "float32[17]{nan,nan,nan,nan,nan,nan,nan,nan,nan,"
                         "nan,nan,nan,nan,nan,nan,nan,nan})",
       .ops = {"elu_backward", "hardshrink_backward", "softshrink_backward", "hardtanh_backward",
               "logit_backward", "hardswish_backward"},
       .grounds = "entry: mask-backward-nan-in-the-vector-body, "
                  "logit-backward-nan-in-the-scalar-tail, activation-backward-formula"},
  };
}
/// Exclusions of tensors with a single element, which LibTorch computes in a path of their own.
std::vector<Exclusion> one_element_matters() {
  std::vector<Exclusion> all = place_matters();
  all.push_back(
      {.system = "libtorch:cpu",
       .reason = "the path for a second operand of one element has no kernel for float8, "
                 "and takes float16 unrounded",
       .counterexample = "mul.Tensor(float8_e4m3fn[2]{1,1}, float8_e4m3fn[2]{1,1})",
       .ops = {"mul", "native_dropout_backward", "div", "floor_divide"},
       .grounds = "entry: mul-float8-refuses-a-scalar, floor-division-rounds-every-step"});
  return all;
}

}  // namespace

std::span<const Property> catalogue_properties() {
  static const std::vector<Property> properties{
      law("AnElementAloneIsAsInAVector",
          "An element alone gives the same bits as in a vector of up to 40 elements, in every op "
          "of the catalogue.",
          kAnyCalls, &check_alone,
          {.what = "the first element of vectors is off", .spoil = &nudge_of_vectors},
          one_element_matters()),
      law("ThePlaceOfAnElementDoesNotMatter",
          "Reversed vectors give the reversed result, in every op of the catalogue.", kAnyCalls,
          &check_place, {.what = "the first element of vectors is off", .spoil = &nudge_of_vectors},
          place_matters()),
      law("ACallRepeatsItself", "A call asked twice gives the same bits.", kMixedCalls,
          &check_repeats, {.what = "every other answer is off", .spoil = &nudge_every_other_time},
          {}, 30),
      law("AliasesAnswerAlike",
          "Overloads of one op with the same parameters give the same answer under every name.",
          kAliased, &check_aliases, {.what = "aliases are off", .spoil = &nudge_aliases}),
  };
  return properties;
}

}  // namespace upcast::properties
