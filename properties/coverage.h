// The coverage of a generator's examples, as numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "properties/property.h"

namespace upcast::properties {

/// The features of one example, each once. Examples of features, and the other values that they
/// have:
///   op:add                    arity:2 (tensors and numbers)
///   dtype:int8                of a tensor, or of an argument that is a dtype
///   kind:dim                  of an operand: dim, zero_dim, wrapped, undefined
///   number:complex            the category of a wrapped number or Scalar
///   category:integral         of an operand
///   default:float64           form:in_place          class:special
///   layout:contiguous         contiguous, strided, expanded, offset, empty, shared
///   rank:3                    the number of dimensions of a tensor
///   value:nan                 zero, negative_zero, subnormal, limit, infinite, nan, finite,
///   negative
std::vector<std::string> features_of(const Case& c);

struct Coverage {
  int examples = 0;
  std::map<std::string, int> counts;

  /// The share, in percent of the examples, of the least frequent among the `distinct` most
  /// frequent features "feature:*". 0 if there are fewer.
  double smallest_share(const Demand& demand) const;
  /// How many different features start with "feature:".
  int distinct(std::string_view feature) const;
};

/// Has RapidCheck draw `examples` examples, tagged with their features, and counts its tags.
Coverage measure(const Generator& generator, int examples, std::uint64_t seed);

}  // namespace upcast::properties
