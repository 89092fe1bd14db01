// Makes tests of the properties. Each program that holds systems calls it in main().
#pragma once

#include <vector>

#include "properties/run_property.h"

namespace upcast::properties {

struct TestPlan {
  std::vector<System> systems{};
  // Whether to test also that controls are caught, and what generators cover.
  bool controls = false;
};

/// Makes tests and runs them, or does what another argument says (--help). Returns the exit code of
/// the process.
///
/// There is a test for each property and system ("Promotion.PromoteTypesIsCommutative/impl_cpu"),
/// for each control (".../control"), for each declared counterexample, and for each generator's
/// coverage.
int run_property_tests(int argc, char** argv, TestPlan (*make_plan)());

}  // namespace upcast::properties
