// Makes docs/catalogue.md from the catalogue.
#pragma once

#include <functional>
#include <string>

#include "impl/ops/catalogue.h"

namespace upcast::tools {

/// The page docs/catalogue.md as Markdown: a table for each family of ops, with a row for each op
/// for which `wanted` is true.
std::string catalogue_page(const std::function<bool(const Op&)>& wanted);

}  // namespace upcast::tools
