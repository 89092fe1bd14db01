#include "oracle/libtorch/guard.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <gtest/gtest.h>

#include <csignal>

#include "cases/notation.h"
#include "oracle/libtorch/libtorch_subject.h"

namespace upcast::libtorch {
namespace {

TEST(Guard, SurvivesTheTrapOfADivision) {
  LibTorchSubject oracle(parse_side("libtorch:cpu"));
  const Case deadly = parse_case(
      "div.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, rounding_mode=\"trunc\") "
      "@default=float64");
  const Case harmless = parse_case("add.Tensor(int32[2]{1,2}, 2.5)");
  const auto keys = c10::impl::tls_local_dispatch_key_set();
  Guard guard(1);
  Answer answer;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(guard.run([&] { oracle.answer(deadly, answer); }), Ending::kTrapped);
    ASSERT_EQ(c10::impl::tls_local_dispatch_key_set().included_, keys.included_);
    ASSERT_EQ(c10::impl::tls_local_dispatch_key_set().excluded_, keys.excluded_);
    ASSERT_EQ(c10::get_default_dtype_as_scalartype(), c10::ScalarType::Float);
    ASSERT_EQ(guard.run([&] { oracle.answer(harmless, answer); }), Ending::kReturned);
    ASSERT_EQ(to_text(answer), "float32[2]{3.5,4.5}");
  }
  EXPECT_EQ(guard.escapes(), 1000);
}

TEST(Guard, LeavesACallThatNeverEnds) {
  Guard guard(0.05);
  volatile bool forever = true;
  EXPECT_EQ(guard.run([&] {
    at::AutoDispatchBelowADInplaceOrView below;
    while (forever) continue;
  }),
            Ending::kTimedOut);
  EXPECT_FALSE(
      c10::impl::tls_local_dispatch_key_set().excluded_.has(c10::DispatchKey::ADInplaceOrView));
}

TEST(Guard, LetsExceptionsThroughAndDisarms) {
  Guard guard(1);
  EXPECT_THROW(guard.run([] { throw std::runtime_error("told"); }), std::runtime_error);
  EXPECT_EQ(guard.escapes(), 0);
}

/// A control: without a guard, the trap ends the process.
TEST(GuardDeathTest, OutsideOfACallTheTrapKills) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Guard guard(1);
        raise(SIGFPE);
        raise(SIGFPE);
      },
      testing::KilledBySignal(SIGFPE), "");
}

}  // namespace
}  // namespace upcast::libtorch
