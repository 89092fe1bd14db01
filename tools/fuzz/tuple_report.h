// The tuple coverage of a campaign as JSON, with its gaps named (docs/schemas/fuzz.schema.json).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/tuple_space.h"

namespace upcast::tools {

/// How many of the possible tuples were asked, and how many answered: for all pairs and all
/// triples, for each combination of factors with its largest gaps, for each op. `marks`: a byte a
/// tuple (fuzz/tuple_map.h).
nlohmann::json tuple_coverage(const TupleSpace& space, const std::vector<std::uint8_t>& marks);

/// "tuples asked: 98.1 % of pairs, 71.0 % of triples".
std::string coverage_text(const nlohmann::json& coverage);

}  // namespace upcast::tools
