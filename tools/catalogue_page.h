// docs/catalogue.md, from the catalogue.
#pragma once

#include <string>

namespace upcast::tools {

/// Markdown: a table for each family, a row an op.
std::string catalogue_page();

}  // namespace upcast::tools
