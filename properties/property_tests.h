// Makes tests of the table; the executables that hold systems call it in main().
#pragma once

#include <vector>

#include "properties/run_property.h"

namespace upcast::properties {

struct TestPlan {
  std::vector<System> systems{};
  bool controls = false;  // whether to test that controls are caught, and what generators cover
};

/// Makes a test of each property and system, "Promotion.PromoteTypesIsCommutative/impl_cpu", of
/// each control, ".../control", of each declared counterexample, and of each generator's coverage;
/// then runs them, or does what another argument says (--help). The exit code of the process.
int run_property_tests(int argc, char** argv, TestPlan (*make_plan)());

}  // namespace upcast::properties
