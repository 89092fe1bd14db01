#include "oracle/host/path_models.h"

#include "oracle/host/activation_models.h"
#include "oracle/host/contracted_models.h"
#include "oracle/host/vector_models.h"

namespace upcast {
namespace {

struct NamedModel {
  std::string_view name;
  PathModel model;
};

constexpr NamedModel kModels[] = {
    {"activation_on_a_vector_path", &activation_on_a_vector_path},
    {"contracted", &contracted},
    {"zero_minus_operand", &zero_minus_operand},
    {"part_by_part_over_modulus", &part_by_part_over_modulus},
    {"half_pi_minus_asin", &half_pi_minus_asin},
    {"nan_for_an_overflowing_quotient", &nan_for_an_overflowing_quotient}};

}  // namespace

PathModel find_path_model(std::string_view name) {
  for (const NamedModel& row : kModels)
    if (row.name == name) return row.model;
  return nullptr;
}

std::string path_model_names() {
  std::string names;
  for (const NamedModel& row : kModels) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

}  // namespace upcast
