// Sets of ops that a list names. The names are looked up in the catalogue: an alias means the op
// that it is an alias of.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast {

class OpSet {
 public:
  OpSet() = default;
  /// Names have no overload; they are those of ops or aliases. A name that is not in the catalogue
  /// is our own mistake: it aborts.
  OpSet(std::initializer_list<std::string_view> names);

  bool empty() const { return ops_.empty(); }
  bool contains(const Op& op) const;

 private:
  std::vector<const Op*> ops_;
};

}  // namespace upcast
