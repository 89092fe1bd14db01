#include "oracle/host/path_models.h"

#include "oracle/host/activation_models.h"
#include "oracle/host/contracted_models.h"
#include "oracle/host/named_models.h"
#include "oracle/host/vector_models.h"

namespace upcast {
namespace {

constexpr NamedModel<PathModel> kModels[] = {
    {"activation_on_a_vector_path", &activation_on_a_vector_path},
    {"contracted", &contracted},
    {"zero_minus_operand", &zero_minus_operand},
    {"part_by_part_over_modulus", &part_by_part_over_modulus},
    {"half_pi_minus_asin", &half_pi_minus_asin},
    {"nan_for_an_overflowing_quotient", &nan_for_an_overflowing_quotient}};

}  // namespace

PathModel find_path_model(std::string_view name) { return find_model<PathModel>(kModels, name); }

std::string path_model_names() { return names_of<PathModel>(kModels); }

}  // namespace upcast
