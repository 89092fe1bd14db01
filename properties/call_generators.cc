#include "properties/call_generators.h"

#include "cases/operands.h"
#include "properties/omissions.h"

namespace upcast::properties {
namespace {

template <class Wanted>
std::vector<std::string_view> callables_where(Wanted wanted) {
  std::vector<std::string_view> found;
  for_each_callable([&](const Op& op, int overload, Form form) {
    if (!is_left_out(of_one_tensor(), op, overload, form) && wanted(form))
      found.push_back(op.callable(overload, form));
  });
  return found;
}

/// The in-place and out= forms of the elementwise callables.
const std::vector<std::string_view>& writing_callables() {
  static const auto found = callables_where([](Form form) { return form != Form::kFunctional; });
  return found;
}

Case draw_any_call(Draw& draw) {
  return draw_call(draw, draw.from(elementwise_callables()),
                   {.any_dtype = 12, .attributes = 70},  // refusals too
                   draw.size() < 50 ? 9 : 40);
}

Case draw_mixed_call(Draw& draw) {
  Case c =
      draw_call(draw, draw.from(draw.chance(50) ? writing_callables() : elementwise_callables()),
                {.dtypes = draw.chance(60) ? kElementwise : DTypeSet(),
                 .own_dtype = draw.chance(70) ? 100 : 0,
                 .numbers = 20,
                 .zero_dims = 25,
                 .attributes = 70,
                 .defaults = 50},
                3);
  if (c.form == Form::kOut) c.out.dtype = draw_dtype(draw);
  return c;
}

}  // namespace

Case draw_call(Draw& draw, std::string_view callable, CallWish wish, int elements) {
  wish.sizes = {draw.between(1, elements)};
  Case c = upcast::draw_call(draw, find_callable(callable), wish);
  draw_values(draw, c, {.spelled = 100});
  return c;
}

const std::vector<std::string_view>& elementwise_callables() {
  static const auto found = callables_where([](Form form) { return form == Form::kFunctional; });
  return found;
}

const Generator kAnyCalls{
    "calls",
    &draw_any_call,
    nullptr,
    {{"dtype", 22, 0.2}, {"dtype", 8, 4}, {"op", 150, 0.1}, {"value", 8, 4}, {"category", 4, 5}},
    of_one_tensor()};
const Generator kMixedCalls{"calls of mixed dtypes",
                            &draw_mixed_call,
                            nullptr,
                            {{"dtype", 22, 1},
                             {"op", 150, 0.1},
                             {"form", 3, 15},
                             {"kind", 3, 5},
                             {"default", 4, 10},
                             {"value", 8, 2}},
                            of_one_tensor()};

}  // namespace upcast::properties
