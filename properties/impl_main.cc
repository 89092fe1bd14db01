// The program properties.impl: our own engines, the controls, and the coverage of the generators.
#include "oracle/modules/emulated_subject.h"
#include "properties/property_tests.h"

int main(int argc, char** argv) {
  using namespace upcast::properties;
  upcast::register_emulated_subject();
  return run_property_tests(argc, argv, []() -> TestPlan {
    return {.systems = {make_impl_system("impl:cpu"), make_impl_system("impl:emulated")},
            .controls = true};
  });
}
