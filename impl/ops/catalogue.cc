#include "impl/ops/catalogue.h"

#include <string>
#include <unordered_map>

#include "impl/ops/families.h"

namespace upcast {

std::string_view Op::callable(int overload, Form form) const {
  const Overload& row = spec->overloads[overload];
  switch (form) {
    case Form::kFunctional:
      // An overload whose schema is itself the in-place form has no functional name.
      return schemas[overload].callable == row.in_place ? std::string_view()
                                                        : schemas[overload].callable;
    case Form::kInPlace:
      return row.in_place;
    case Form::kOut:
      return row.out;
  }
  return {};
}

int Op::output_count() const { return schemas[0].returns.starts_with("(Tensor") ? 2 : 1; }

std::span<const Op> catalogue() {
  static const std::vector<Op> rows = [] {
    std::vector<Op> made;
    for (AddFamily* add : kFamilies) add(made);
    return made;
  }();
  return rows;
}

FoundOp find_callable(std::string_view callable) {
  static const auto index = [] {
    std::unordered_map<std::string_view, FoundOp> made;
    for (const Op& op : catalogue())
      for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload)
        for (const Form form : {Form::kFunctional, Form::kInPlace, Form::kOut})
          if (const std::string_view name = op.callable(overload, form); !name.empty())
            made.emplace(name, FoundOp{&op, overload, form});
    return made;
  }();
  const auto found = index.find(callable);
  return found == index.end() ? FoundOp{} : found->second;
}

}  // namespace upcast
