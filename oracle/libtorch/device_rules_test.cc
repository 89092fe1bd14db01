// Tests that the grid `devices` notices a side that ignores where its operands lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cases/grid.h"
#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/libtorch/libtorch_subject.h"

namespace upcast {
namespace {

/// Callables for each kind of device rule: one number allowed, any number, none, out=, in place.
constexpr std::string_view kCallables[]{"add.Tensor",   "add_.Tensor", "add.out", "addcmul",
                                        "clamp.Tensor", "exp.out",     "copy_",   "eq.Tensor_out"};

/// How a broken side changes a case before it answers.
using Break = void (*)(Case&);

void keep(Case&) {}

/// Breaks a side: operands on the CPU count as operands on the device.
void forget_devices(Case& c) {
  c.out.device.reset();
  for (Operand& operand : c.arguments) operand.device.reset();
}

/// Breaks a side: an out= on the CPU counts as one on the device.
void forget_where_out_lies(Case& c) { c.out.device.reset(); }

/// How many cases only one of the two sides refuses, by callable. Sets `cases` to the number of all
/// cases asked.
std::map<std::string, int> refusals_that_differ(Break broken, int& cases) {
  const Plan plan = make_grid("devices");
  const auto ours = make_subject("impl:meta");
  LibTorchSubject theirs(parse_side("libtorch:meta"));
  std::map<std::string, int> differing;
  cases = 0;
  for (const GridRow& row : plan.rows) {
    const std::string_view callable = row.prototype.callable();
    if (std::find(std::begin(kCallables), std::end(kCallables), callable) == std::end(kCallables))
      continue;
    Case c = row.prototype;
    for (std::int64_t index = 0; index < row.count; index += 3, ++cases) {
      row.decode(index, c);
      Case seen = c;
      broken(seen);
      if (is_of_refusal(judge(c, answer_of(*ours, seen), answer_of(theirs, c)).code))
        ++differing[std::string(callable)];
    }
  }
  return differing;
}

TEST(DeviceRules, AreLibTorchs) {
  int cases = 0;
  const auto differing = refusals_that_differ(keep, cases);
  EXPECT_GT(cases, 300);
  for (const auto& [callable, count] : differing)
    EXPECT_EQ(callable, "copy_") << count;  // declared: meta-writes-without-a-look
}

TEST(DeviceRules, ASideThatForgetsDevicesIsFound) {
  int cases = 0;
  const auto differing = refusals_that_differ(forget_devices, cases);
  for (const std::string_view callable : kCallables)
    EXPECT_GT(differing.contains(std::string(callable)) ? differing.at(std::string(callable)) : 0,
              0)
        << callable;
}

TEST(DeviceRules, ASideThatForgetsWhereOutLiesIsFound) {
  int cases = 0;
  const auto differing = refusals_that_differ(forget_where_out_lies, cases);
  for (const char* callable : {"add.out", "exp.out", "eq.Tensor_out"})
    EXPECT_TRUE(differing.contains(callable)) << callable;
}

}  // namespace
}  // namespace upcast
