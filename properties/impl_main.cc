// properties.impl: our own engines, the controls, and the coverage of the generators.
#include "properties/property_tests.h"

int main(int argc, char** argv) {
  using namespace upcast::properties;
  return run_property_tests(argc, argv, []() -> TestPlan {
    return {.systems = {make_impl_system("impl:cpu"), make_impl_system("impl:emulated")},
            .controls = true};
  });
}
