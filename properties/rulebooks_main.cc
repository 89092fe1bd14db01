// The program properties.rulebooks: the properties of promotion, asked of every rule book.
#include "properties/property_tests.h"
#include "properties/rulebook_systems.h"

int main(int argc, char** argv) {
  using namespace upcast::properties;
  return run_property_tests(argc, argv,
                            []() -> TestPlan { return {.systems = rulebook_systems()}; });
}
