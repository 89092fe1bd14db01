#include "cases/laws/call_pair.h"

#include <algorithm>

#include "cases/laws/callable_twins.h"
#include "cases/laws/typed_calls.h"
#include "cases/suggest.h"
#include "impl/core/error.h"
#include "impl/promotion/promotion_kind.h"

namespace upcast {

using namespace internal;

namespace {

constexpr std::array kForms{Form::kFunctional, Form::kInPlace, Form::kOut};

/// Which parts of a call's answer must be those of the call with converted operands. If its op has
/// a rule of its own, its answer does not follow from the common dtype. An op that computes in
/// float64 reads each operand unconverted.
Alike alike_of(const TypedCall& typed, DType common) {
  const PromotionKind kind = typed.call.op->spec->promotion;
  if (kind == PromotionKind::kOwn) return Alike::kAnswering;
  return kind != PromotionKind::kAlwaysDouble && typed.casts_exactly(common) ? Alike::kValues
                                                                             : Alike::kDType;
}

/// The widest dtype of a category.
DType widest(DType dtype) {
  switch (category(dtype)) {
    case Category::kIntegral:
      return DType::kInt64;
    case Category::kFloating:
      return DType::kFloat64;
    case Category::kComplex:
      return DType::kComplex128;
    default:
      return dtype;
  }
}

bool is_wider(DType wide, DType dtype) { return itemsize(wide) > itemsize(dtype); }

void visit_cast(const Op& op, const PairVisitor& visit) {
  for_each_typed_call(op, Form::kFunctional, [&](const TypedCall& typed) {
    const std::optional<DType> common = typed.common_dtype();
    if (!common || !typed.is_mixed(*common)) return;
    visit({.law = Law::kCast,
           .call = typed.call,
           .witness = typed.cast_to(*common),
           .alike = alike_of(typed, *common)});
  });
}

/// Visits the pairs of the law `widening`: a call, and the call with wider operands. Integers are
/// also widened by a wider default dtype.
void visit_widening(const Op& op, const PairVisitor& visit) {
  for_each_typed_call(op, Form::kFunctional, [&](const TypedCall& typed) {
    const std::optional<DType> common = typed.common_dtype();
    if (!common) return;
    if (*common == DType::kInt64) {
      CallPair pair{.law = Law::kWidening, .witness = typed.call, .alike = Alike::kAnswering};
      for (const DType narrow : {DType::kFloat16, DType::kBFloat16}) {
        pair.call = typed.call;
        pair.call.defaults.floating = narrow;
        visit(pair);
      }
    }
    const DType wide = widest(*common);
    if (!typed.is_mixed(*common) || !is_wider(wide, *common)) return;
    visit({.law = Law::kWidening,
           .call = typed.call,
           .witness = typed.cast_to(wide),
           .alike = Alike::kAnswering,
           .promoted = typed.cast_to(*common)});
  });
}

void visit_in_place(const Op& op, const PairVisitor& visit) {
  for_each_typed_call(op, Form::kInPlace, [&](const TypedCall& typed) {
    CallPair pair{.law = Law::kForms, .call = typed.call, .witness = typed.call};
    const Operand& written = typed.call.operand(written_position(typed.call));
    // Skips a zero-dim self, which cannot hold a broadcast result, and ops without a functional
    // form.
    if (op.callable(typed.call.overload, Form::kFunctional).empty() || written.sizes.empty())
      return;
    pair.witness.form = Form::kFunctional;
    pair.written = written.dtype;
    visit(pair);
  });
}

/// Visits the pairs of the law about out=. If all operands have one dtype, out= takes every dtype.
/// For mixed operands it takes the widest dtypes only.
void visit_out(const Op& op, const PairVisitor& visit) {
  for_each_typed_call(op, Form::kOut, [&](const TypedCall& typed) {
    if (op.callable(typed.call.overload, Form::kFunctional).empty()) return;
    const std::optional<Dims> shape = broadcast_shape(typed.call);
    const bool mixed = typed.has_several_dtypes();
    for (const DType dtype : kElementwise.dtypes()) {
      if (mixed && dtype != widest(dtype)) continue;
      CallPair pair{.law = Law::kForms, .call = typed.call, .witness = typed.call};
      pair.witness.form = Form::kFunctional;
      pair.written = dtype;
      set_out(pair.call, tensor(dtype, shape.value_or(Dims{})));
      visit(pair);
    }
  });
}

/// Visits each call with a number, together with the call with the zero-dim tensor of that number.
/// The number stands in a tensor's place, or is a Scalar in overloads that have one there.
void visit_numbers(const Op& op, const PairVisitor& visit) {
  for_each_number_call(op, [&](const NumberCall& call) {
    if (op.spec->takes_numbers_as_tensors)
      visit({.law = Law::kNumbers, .call = call.wrapped, .witness = call.zero_dim});
    for (const Case& scalar : call.scalars)
      visit({.law = Law::kNumbers, .call = scalar, .witness = call.zero_dim});
  });
}

void visit_siblings(const Op& op, const PairVisitor& visit) {
  for (const Twins& twins : aliases(op))
    for (const Form form : kForms) {
      if (op.callable(twins.first, form).empty() || op.callable(twins.second, form).empty())
        continue;
      for_each_typed_call(op, twins.first, form, [&](const TypedCall& typed) {
        if (form != Form::kFunctional && typed.has_several_dtypes()) return;
        CallPair pair{
            .law = Law::kSiblings, .call = typed.call, .witness = typed.call, .both_ways = true};
        if (form == Form::kOut)
          for (Case* c : {&pair.call, &pair.witness})
            set_out(*c, tensor(typed.common_dtype().value_or(DType::kFloat32),
                               broadcast_shape(*c).value_or(Dims{})));
        pair.call.overload = twins.second;
        visit(pair);
      });
    }
  if (!op.spec->takes_numbers_as_tensors) return;
  for_each_number_call(op, [&](const NumberCall& call) {
    for (const Case& scalar : call.scalars)
      visit({.law = Law::kSiblings, .call = scalar, .witness = call.wrapped, .both_ways = true});
  });
}

}  // namespace

Law parse_law(std::string_view name) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    if (kLaws[i].name == name) return static_cast<Law>(i);
    names.push_back(kLaws[i].name);
  }
  throw UsageError("there is no law '" + std::string(name) + "'" + did_you_mean(name, names) +
                   " (cast, forms, numbers, widening, siblings)");
}

void for_each_pair(Law law, const Op& op, const PairVisitor& visit) {
  switch (law) {
    case Law::kCast:
      return visit_cast(op, visit);
    case Law::kForms:
      visit_in_place(op, visit);
      return visit_out(op, visit);
    case Law::kNumbers:
      return visit_numbers(op, visit);
    case Law::kWidening:
      return visit_widening(op, visit);
    case Law::kSiblings:
      return visit_siblings(op, visit);
  }
}

}  // namespace upcast
