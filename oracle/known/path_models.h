// What LibTorch's vector paths answer where they and its scalar ones differ: models named by
// `answer = "model:NAME"` of a known difference of a subject.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// The answer nearest to `answer` that the model allows: each element is `right`'s (the scalar
/// path's, or within the bounds of it) or one of those that a vector path may give. `right` and
/// `answer` are tensors of one dtype and shape. Nothing where the model does not speak of such a
/// case.
using PathModel = std::optional<Answer> (*)(const Case& c, const Answer& right,
                                            const Answer& answer);

/// Null where there is none.
PathModel find_path_model(std::string_view name);
/// "a, b, c".
std::string path_model_names();

}  // namespace upcast
