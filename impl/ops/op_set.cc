#include "impl/ops/op_set.h"

#include <algorithm>

#include "impl/core/error.h"

namespace upcast {
namespace {

bool has_name(const Op& op, std::string_view name) {
  return op.spec->name == name ||
         std::any_of(op.schemas.begin(), op.schemas.end(),
                     [name](const Schema& schema) { return schema.name == name; });
}

}  // namespace

OpSet::OpSet(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const std::size_t before = ops_.size();
    for (const Op& op : catalogue())
      if (has_name(op, name)) ops_.push_back(&op);
    check(ops_.size() > before, "a list names an op that the catalogue does not have");
  }
}

bool OpSet::contains(const Op& op) const {
  return std::find(ops_.begin(), ops_.end(), &op) != ops_.end();
}

}  // namespace upcast
