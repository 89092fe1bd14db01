// The table of tables: every property there is.
#include <array>

#include "properties/promotion_properties.h"
#include "properties/property.h"

namespace upcast::properties {

std::span<const Topic> topics() {
  static const std::array<Topic, 2> topics{
      {{"Promotion", promote_types_properties()}, {"ResultType", result_type_properties()}}};
  return topics;
}

std::span<const Exclusion> deadly_cases() { return {}; }

}  // namespace upcast::properties
