#include "properties/omissions.h"

#include <algorithm>
#include <array>

#include "cases/operands.h"

namespace upcast::properties {
namespace {

constexpr std::string_view kSignature = "witness: its signature in native_functions.yaml";

const Schema& schema_of(const Op& op, int overload) {
  return op.schemas[static_cast<std::size_t>(overload)];
}
std::size_t tensors_of(const Op& op, int overload) {
  return tensor_positions(schema_of(op, overload)).size();
}

constexpr Omission kNoOperand{
    .reason = "takes no tensor",
    .leaves_out = [](const Op& op, int overload, Form) { return tensors_of(op, overload) == 0; },
    .grounds = kSignature};
constexpr Omission kNoSingleTensor{
    .reason = "answers no tensor, or two of them",
    .leaves_out =
        [](const Op& op, int overload, Form) {
          return schema_of(op, overload).returns.find("Tensor") != 0 || op.output_count() != 1;
        },
    .grounds = kSignature};
constexpr Omission kNoTensor{.reason = "answers no tensor",
                             .leaves_out =
                                 [](const Op& op, int overload, Form) {
                                   return schema_of(op, overload).returns.find("Tensor") ==
                                          std::string::npos;
                                 },
                             .grounds = kSignature};
constexpr Omission kOneOverload{
    .reason = "has one overload, under one name",
    .leaves_out = [](const Op& op, int, Form) { return op.schemas.size() < 2; },
    .grounds = kSignature};
constexpr Omission kAnswersBool{.reason = "answers bool",
                                .leaves_out =
                                    [](const Op& op, int, Form) {
                                      return op.spec->promotion == PromotionKind::kAlwaysBool ||
                                             op.spec->promotion == PromotionKind::kUnaryBool;
                                    },
                                .grounds = "witness: the dtype of the result: no bool is a NaN"};
constexpr Omission kTakesNoFloats{.reason = "has kernels for no floating dtype",
                                  .leaves_out =
                                      [](const Op& op, int, Form) {
                                        return !op.spec->dtypes.empty() &&
                                               (op.spec->dtypes & kFloats).empty();
                                      },
                                  .grounds =
                                      "witness: no integer, and no part of a complex result "
                                      "that is asked for, is a NaN"};
constexpr Omission kInPlaceAlone{
    .reason = "has an in-place form alone",
    .leaves_out =
        [](const Op& op, int overload, Form) {
          return schema_of(op, overload).callable == op.callable(overload, Form::kInPlace);
        },
    .grounds = "witness: its signature in native_functions.yaml: no form to compare it with"};
constexpr Omission kSharesWithNone{
    .reason = "has one tensor: nothing shares its storage",
    .leaves_out = [](const Op& op, int overload,
                     Form form) { return tensors_of(op, overload) + (form == Form::kOut) < 2; },
    .grounds = kSignature};
constexpr Omission kLooksForNoOverlap{
    .reason = "looks for no overlap",
    .leaves_out = [](const Op& op, int, Form) { return !op.spec->checks_overlap; },
    .grounds =
        "witness: set_check_mem_overlap(false) in PyTorch's sources of threshold and "
        "masked_fill; log_sigmoid, which reads what it wrote, is an exclusion too"};
constexpr Omission kComposed{
    .reason = "is composed of other ops: what is written is a copy of the last result",
    .leaves_out = [](const Op& op, int, Form) { return op.compose != nullptr; },
    .grounds = "witness: it answers as without overlap, where others refuse"};
constexpr Omission kGeneratedOut{
    .reason = "has an out= form that torchgen makes of the functional one, and which copies",
    .leaves_out =
        [](const Op& op, int overload, Form) {
          return op.spec->overloads[static_cast<std::size_t>(overload)].generated_out;
        },
    .grounds = "law: generated-out-wants-the-result-dtype"};
constexpr Omission kResizesNothing{
    .reason = "copies to what it writes, whose elements another law compares",
    .leaves_out = [](const Op& op, int, Form) { return !op.spec->resizes_outputs; },
    .grounds = "witness: PyTorch's documentation of copy_"};
constexpr Omission kInexact{
    .reason = "has a result that may be off by an ulp",
    .leaves_out = [](const Op& op, int, Form) { return op.spec->accuracy.float32.ours != 0; },
    .grounds = "witness: docs/accuracy.md: engines need not round alike"};

/// Omits ops whose kind of promotion is none of kKinds, for properties about one kind.
template <PromotionKind... kKinds>
constexpr Omission kOfAnotherKind{
    .reason = "promotes in another way",
    .leaves_out = [](const Op& op, int, Form) { return ((op.spec->promotion != kKinds) && ...); },
    .grounds = "witness: docs/promotion.md, the kinds: each has laws of its own"};
constexpr Omission kAsksTheDefault{
    .reason = "makes floats of integers, or promotes in a way of its own",
    .leaves_out =
        [](const Op& op, int, Form) {
          return op.spec->promotion == PromotionKind::kIntToFloat ||
                 op.spec->promotion == PromotionKind::kOwn;
        },
    .grounds = "witness: docs/promotion.md, the kinds"};

template <const auto&... kRules>
std::span<const Omission> rules() {
  static const std::array all{kRules...};
  return all;
}

}  // namespace

bool is_left_out(std::span<const Omission> rules, const Op& op, int overload, Form form) {
  return std::any_of(rules.begin(), rules.end(),
                     [&](const Omission& rule) { return rule.leaves_out(op, overload, form); });
}

std::vector<FoundOp> callables_but(std::span<const Omission> rules, Form form) {
  std::vector<FoundOp> found;
  for_each_callable([&](const Op& op, int overload, Form each) {
    if (each == form && !is_left_out(rules, op, overload, each))
      found.push_back({&op, overload, each});
  });
  return found;
}

std::span<const Omission> of_one_tensor() { return rules<kNoOperand, kNoSingleTensor>(); }
std::span<const Omission> of_several_overloads() {
  return rules<kNoOperand, kNoSingleTensor, kOneOverload>();
}
std::span<const Omission> of_floating_results() {
  return rules<kNoOperand, kNoSingleTensor, kAnswersBool, kTakesNoFloats>();
}
std::span<const Omission> of_promoting_ops() {
  return rules<kNoOperand, kNoSingleTensor, kOfAnotherKind<PromotionKind::kDefault>>();
}
std::span<const Omission> of_comparisons() {
  return rules<kNoOperand, kNoSingleTensor,
               kOfAnotherKind<PromotionKind::kAlwaysBool, PromotionKind::kUnaryBool>>();
}
std::span<const Omission> of_int_to_float_ops() {
  return rules<kNoOperand, kNoSingleTensor, kOfAnotherKind<PromotionKind::kIntToFloat>>();
}
std::span<const Omission> of_same_ops() {
  return rules<kNoOperand, kNoSingleTensor, kOfAnotherKind<PromotionKind::kSame>>();
}
std::span<const Omission> of_default_free_ops() {
  return rules<kNoOperand, kNoSingleTensor, kAsksTheDefault>();
}
std::span<const Omission> of_layouts() { return rules<kNoOperand, kNoTensor, kInPlaceAlone>(); }
std::span<const Omission> of_shared_storage() {
  return rules<kNoOperand, kNoTensor, kInPlaceAlone, kSharesWithNone>();
}
std::span<const Omission> of_checked_overlap() {
  return rules<kNoOperand, kNoTensor, kInPlaceAlone, kSharesWithNone, kLooksForNoOverlap, kComposed,
               kGeneratedOut, kResizesNothing>();
}
std::span<const Omission> of_exact_results() {
  return rules<kNoOperand, kNoTensor, kInPlaceAlone, kInexact>();
}

}  // namespace upcast::properties
