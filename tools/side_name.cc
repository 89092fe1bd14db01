#include "tools/side_name.h"

#include <algorithm>
#include <filesystem>

#include "impl/core/error.h"
#include "tools/missing_part.h"

namespace upcast::tools {

std::string resolve_side(const std::string& side) {
  build_missing_module(side);
  constexpr std::string_view kPlugin = "plugin:";
  if (!side.starts_with(kPlugin)) return side;
  const std::size_t query = std::min(side.find('?'), side.size());
  const std::filesystem::path file = side.substr(kPlugin.size(), query - kPlugin.size());
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw UsageError("there is no plug-in " + file.string() +
                     "; name the shared library that you built: plugin:build/libmine.so");
  return std::string(kPlugin) + std::filesystem::canonical(file).string() + side.substr(query);
}

}  // namespace upcast::tools
