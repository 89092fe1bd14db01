// The program properties.rulebooks, which asks every rule book about the properties of promotion.
#include "properties/property_tests.h"
#include "properties/rulebook_systems.h"

int main(int argc, char** argv) {
  using namespace upcast::properties;
  return run_property_tests(argc, argv,
                            []() -> TestPlan { return {.systems = rulebook_systems()}; });
}
