#include "oracle/known/path_models.h"

#include "oracle/known/activation_models.h"
#include "oracle/known/contracted_models.h"
#include "oracle/known/named_models.h"
#include "oracle/known/vector_models.h"

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
