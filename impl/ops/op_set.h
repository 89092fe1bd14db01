// Sets of ops that a list of names gives. The names are looked up in the catalogue; an alias stands
// for its op.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast {

class OpSet {
 public:
  OpSet() = default;
  /// Makes a set from names of ops or aliases, without overloads. A name that is not in the
  /// catalogue is an error in this program, and aborts it.
  OpSet(std::initializer_list<std::string_view> names);

  bool empty() const { return ops_.empty(); }
  bool contains(const Op& op) const;

 private:
  std::vector<const Op*> ops_;
};

}  // namespace upcast
