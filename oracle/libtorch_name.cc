#include "oracle/libtorch_name.h"

#include "impl/core/error.h"

namespace upcast {

SideName split_side_name(std::string_view side) {
  constexpr std::string_view kVersioned = "libtorch@";
  if (!side.starts_with(kVersioned)) return {"", std::string(side)};
  const std::string_view rest = side.substr(kVersioned.size());
  const std::size_t colon = rest.find(':');
  const std::string_view version = rest.substr(0, colon);
  if (colon == rest.npos || version.empty() ||
      version.find_first_not_of("0123456789.") != version.npos)
    throw UsageError("'" + std::string(side) +
                     "' names no LibTorch; write its version and device as libtorch@2.11.0:cpu");
  return {std::string(version), "libtorch" + std::string(rest.substr(colon))};
}

}  // namespace upcast
