// Tests properties of drawn calls. Controls: a catalogue row that lacks a trait, or a wish that
// asks for less, must give other calls.
#include "cases/draw/call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cases/element.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "impl/iterator/compute_shape.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

/// Calls f(callable) for every callable of the catalogue.
template <class F>
void for_each_found(F f) {
  for_each_callable([&f](const Op& op, int overload, Form form) {
    f(FoundOp{&op, overload, form});
  });
}

const CallWish kAnything{.sizes = {2, 3},
                         .any_dtype = 20,
                         .own_dtype = 30,
                         .numbers = 20,
                         .first_numbers = 5,
                         .zero_dims = 20,
                         .undefined = 20,
                         .attributes = 60,
                         .any_number = 30,
                         .defaults = 20};
const ValueWish kSpelled{.spelled = 60};

TEST(DrawCall, EveryCallParsesBack) {
  Random random(1);
  for_each_found([&random](const FoundOp& callable) {
    for (int i = 0; i < 20; ++i) {
      Case c = draw_call(random, callable, kAnything);
      draw_values(random, c, kSpelled);
      const std::string line = print_case(c);
      ASSERT_TRUE(parse_case(line) == c) << line;
    }
  });
}

TEST(DrawCall, AWishIsKept) {
  Random random(2);
  for_each_found([&random](const FoundOp& callable) {
    const CallWish wish{.sizes = {4}, .dtypes = kFloats, .numbers = 100, .zero_dims = 100};
    const Case c = draw_call(random, callable, wish);
    int nth = 0;
    for (const int i : tensor_positions(c.schema())) {
      const Operand& operand = c.arguments[i];
      const bool is_mask = c.op->spec->is_mask(c.schema().parameters[i].name);
      const bool is_written = nth == 0 && c.form == Form::kInPlace;
      if (operand.tag == Tag::kNone) continue;
      EXPECT_EQ(operand.tag, nth++ == 0 ? Tag::kTensor : Tag::kNumber) << print_case(c);
      if (operand.tag != Tag::kTensor) continue;
      EXPECT_EQ(operand.sizes, is_written ? Dims{4} : Dims{}) << print_case(c);
      EXPECT_TRUE((is_mask ? kBools : kFloats).contains(operand.dtype)) << print_case(c);
    }
    EXPECT_EQ(c.out.tag == Tag::kTensor, c.form == Form::kOut);
    EXPECT_EQ(c.second_out.tag == Tag::kTensor, c.form == Form::kOut && c.op->output_count() == 2);
  });
}

/// Counts over drawn calls with integers: `all`, how many divisors were spelled out; `bad`, how
/// many of these were 0 or -1.
struct Divisors {
  int all = 0, bad = 0;
};
Divisors divisors_of(const FoundOp& callable, bool safe) {
  Random random(3);
  Divisors found;
  for (int i = 0; i < 200; ++i) {
    Case c = draw_call(random, callable, {.sizes = {5}, .dtypes = kIntegers, .own_dtype = 50});
    draw_values(random, c, {.spelled = 100, .safe = safe});
    for (std::size_t k = 1; k < c.arguments.size(); ++k) {
      const Operand& operand = c.arguments[k];
      const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
      for (std::size_t at = 0; at < operand.values.size(); at += size, ++found.all)
        found.bad += is_zero_or_minus_one({operand.values.data() + at, size});
    }
  }
  return found;
}

TEST(DrawCall, NoIntegralDivisorIsZeroOrMinusOneUnderAnyNameOfItsOp) {
  std::set<std::string_view> names;
  for_each_found([&names](const FoundOp& callable) {
    const Schema& schema = callable.op->schemas[static_cast<std::size_t>(callable.overload)];
    const int divisor = schema.find(callable.op->spec->divisor);
    if (divisor < 1 || !is_tensor(schema.parameters[static_cast<std::size_t>(divisor)])) return;
    if (tensor_positions(schema).size() != 2) return;
    names.insert(schema.name);
    const Divisors safe = divisors_of(callable, true);
    EXPECT_GT(safe.all, 500) << schema.callable;
    EXPECT_EQ(safe.bad, 0) << schema.callable;
    EXPECT_GT(divisors_of(callable, false).bad, 50) << "a wish that is not safe";
    Op without = *callable.op;
    OpSpec spec = *without.spec;
    spec.divisor = "";
    without.spec = &spec;
    EXPECT_GT(divisors_of({&without, callable.overload, callable.form}, true).bad, 50)
        << "a row that does not say what divides";
  });
  for (const char* name : {"div", "divide", "true_divide", "floor_divide", "remainder", "fmod"})
    EXPECT_TRUE(names.contains(name)) << name;
}

/// The least and the greatest element of operands that are stepped through, over drawn calls.
struct Steps {
  double least = 0, most = 0;
};
Steps steps_of(const FoundOp& callable) {
  Random random(4);
  Steps steps;
  for (int i = 0; i < 100; ++i) {
    Case c = draw_call(random, callable, {.sizes = {5}, .numbers = 30, .attributes = 50});
    draw_values(random, c, {.spelled = 70, .classes = {ValueClass::kSpecial}});
    for (int k = 0; k < static_cast<int>(c.arguments.size()); ++k) {
      const std::vector<std::byte> values = operand_values(c, k);
      const Operand& operand = c.arguments[static_cast<std::size_t>(k)];
      const DType dtype = operand.tag == Tag::kNumber ? operand.number.dtype() : operand.dtype;
      for (std::size_t at = 0; at < values.size(); at += itemsize(dtype)) {
        const double value = real_part(dtype, values.data() + at);
        steps.least = std::min(steps.least, value);
        if (callable.op->spec->is_loop_count(c.schema().parameters[k].name))
          steps.most = std::max(steps.most, value);
      }
    }
  }
  return steps;
}

TEST(DrawCall, NothingIsSteppedThroughForLong) {
  std::set<std::string_view> names;
  for_each_found([&names](const FoundOp& callable) {
    const OpSpec& own = *callable.op->spec;
    if (own.loop.parameter.empty()) return;
    const Schema& schema = callable.op->schemas[static_cast<std::size_t>(callable.overload)];
    names.insert(schema.name);
    const Steps steps = steps_of(callable);
    EXPECT_LE(steps.most, 300) << schema.callable;
    if (!own.steps_from_below()) return;
    EXPECT_GE(steps.least, -100) << schema.callable;
    Op without = *callable.op;
    OpSpec spec = own;
    spec.loop = {};
    without.spec = &spec;
    EXPECT_LT(steps_of({&without, callable.overload, callable.form}).least, -1e6)
        << "a row that does not say what is stepped through";
  });
  for (const char* name : {"polygamma", "special_polygamma", "special_zeta", "mvlgamma"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(DrawCall, ARoleBroadcasts) {
  Random random(5);
  const Dims sizes{2, 3, 4};
  std::set<Dims> roles;
  for (int i = 0; i < 1000; ++i) {
    Dims shape = sizes;
    const Dims role = draw_role(random, sizes);
    EXPECT_TRUE(broadcast_into(shape, role));
    EXPECT_EQ(shape, sizes);
    roles.insert(role);
  }
  EXPECT_TRUE(roles.contains(sizes) && roles.contains({}) && roles.contains({3, 1}));
}

TEST(DrawElements, HoldTheEndsOfARangeAndAreAsDistinctAsWished) {
  Random random(6);
  for (const DType dtype : (kElementwise - kBools).dtypes()) {
    const auto size = static_cast<std::size_t>(itemsize(dtype));
    const std::vector<std::byte> all = draw_elements(random, dtype, 2000);
    const std::vector<std::byte> few =
        draw_elements(random, dtype, 100, {.distinct = [](DType) { return 3; }});
    std::set<std::vector<std::byte>> seen, repeated;
    for (std::size_t at = 0; at < all.size(); at += size)
      seen.emplace(all.begin() + static_cast<std::ptrdiff_t>(at),
                   all.begin() + static_cast<std::ptrdiff_t>(at + size));
    for (std::size_t at = 0; at < few.size(); at += size)
      repeated.emplace(few.begin() + static_cast<std::ptrdiff_t>(at),
                       few.begin() + static_cast<std::ptrdiff_t>(at + size));
    EXPECT_GT(seen.size(), 100U) << name(dtype);
    EXPECT_TRUE(seen.contains(element_of(dtype, 0.0))) << name(dtype);
    EXPECT_TRUE(seen.contains(element_of(dtype, 1.0))) << name(dtype);
    EXPECT_LE(repeated.size(), 3U) << name(dtype);
    EXPECT_EQ(few.size(), 100 * size);
  }
}

}  // namespace
}  // namespace upcast
