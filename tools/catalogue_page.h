// Makes docs/catalogue.md from the catalogue.
#pragma once

#include <functional>
#include <string>

#include "impl/ops/catalogue.h"

namespace upcast::tools {

/// Markdown: a table for each family, a row for each op that is wanted.
std::string catalogue_page(const std::function<bool(const Op&)>& wanted);

}  // namespace upcast::tools
