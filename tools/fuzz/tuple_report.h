// Writes the tuple coverage of a campaign as JSON, and names its gaps
// (docs/schemas/fuzz.schema.json).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/tuple_space.h"

namespace upcast::tools {

/// How many of the possible tuples a campaign asked, and how many of these were answered. Counts
/// all pairs and all triples, each combination of factors with its largest gaps, and each op.
/// `marks`: a byte for each tuple (fuzz/tuple_map.h).
nlohmann::json tuple_coverage(const TupleSpace& space, const std::vector<std::uint8_t>& marks);

/// The coverage in words: "tuples asked: 98.1 % of pairs, 71.0 % of triples".
std::string coverage_text(const nlohmann::json& coverage);

}  // namespace upcast::tools
