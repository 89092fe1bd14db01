// Ops that a list names, resolved in the catalogue: an alias is the op that it is an alias of.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast {

class OpSet {
 public:
  OpSet() = default;
  /// Names without overload, of ops or of aliases. One that is not in the catalogue is our own
  /// mistake: it aborts.
  OpSet(std::initializer_list<std::string_view> names);

  bool empty() const { return ops_.empty(); }
  bool contains(const Op& op) const;

 private:
  std::vector<const Op*> ops_;
};

}  // namespace upcast
