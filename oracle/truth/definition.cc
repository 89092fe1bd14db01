#include "oracle/truth/definition.h"

#include <algorithm>

#include "impl/ops/number_cast.h"
#include "oracle/truth/rounding.h"

namespace upcast::truth {

double in_compute_dtype(const Number& number, DType common) {
  return compute_dtype(common) == DType::kFloat64 ? number_to<double>(number)
                                                  : number_to<float>(number);
}

double in_common_dtype(const Number& number, DType common) {
  return round_once(common, number_to<double>(number));
}

std::vector<const Definition*> all_definitions() {
  std::vector<const Definition*> rows;
  for (const auto& family :
       {elementary_definitions(), arithmetic_definitions(), special_definitions(),
        activation_definitions(), activation_backward_definitions(), selection_definitions(),
        rounding_definitions(), interpolation_definitions(), polynomial_definitions()})
    for (const Definition& row : family) rows.push_back(&row);
  return rows;
}

const Definition* find_definition(std::string_view op) {
  static const std::vector<const Definition*> rows = all_definitions();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [op](const Definition* row) { return row->op == op; });
  return found == rows.end() ? nullptr : *found;
}

}  // namespace upcast::truth
