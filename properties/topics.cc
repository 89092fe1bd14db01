// The list of all topics, each with its properties.
#include "properties/topics.h"

#include <algorithm>
#include <array>

namespace upcast::properties {

std::span<const Topic> topics() {
  static const std::vector<Topic> topics{{"Promotion", promote_types_properties()},
                                         {"ResultType", result_type_properties()},
                                         {"CallDTypes", call_dtype_properties()},
                                         {"Algebra", algebra_properties()},
                                         {"Integers", integer_properties()},
                                         {"Exactness", exactness_properties()},
                                         {"Catalogue", catalogue_properties()},
                                         {"Functions", function_properties()},
                                         {"Ends", end_properties()},
                                         {"Notation", notation_properties()},
                                         {"Broadcasting", broadcast_properties()},
                                         {"Elements", element_properties()},
                                         {"Layouts", layout_properties()},
                                         {"Outputs", output_properties()},
                                         {"Overlap", overlap_properties()},
                                         {"Memory", memory_properties()},
                                         {"Engines", engine_properties()},
                                         {"Plans", plan_properties()},
                                         {"Traces", trace_properties()},
                                         {"Strides", stride_properties()}};
  return topics;
}

std::span<const Generator* const> generators() {
  static const std::vector<const Generator*> used = [] {
    std::vector<const Generator*> all;
    for (const Topic& topic : topics())
      for (const Property& property : topic.properties)
        if (std::find(all.begin(), all.end(), property.generator) == all.end())
          all.push_back(property.generator);
    return all;
  }();
  return used;
}

}  // namespace upcast::properties
