#include "fuzz/findings/paths.h"

namespace upcast::fuzz {

PathSides sides_of(Path path, std::string_view version) {
  const std::string libtorch = version.empty() ? "libtorch" : "libtorch@" + std::string(version);
  switch (path) {
    case Path::kDefault:
      return {"impl:cpu", libtorch + ":cpu?capability=avx2&onednn=on"};
    case Path::kAvx2:
      return {"impl:cpu", libtorch + ":cpu?capability=avx2"};
    case Path::kScalar:
      return {"impl:cpu", libtorch + ":cpu"};
    case Path::kDefaultAgainstScalar:
      return {libtorch + ":cpu?capability=avx2&onednn=on", libtorch + ":cpu", Role::kSubject};
    case Path::kMeta:
      break;
  }
  return {"impl:meta", libtorch + ":meta"};
}

PathExaminers::PathExaminers(double time_limit, std::vector<KnownDifference> known)
    : time_limit_(time_limit), known_(std::move(known)) {}

Examiner& PathExaminers::at(Path path, const std::string& version) {
  const auto key = std::pair(path, version);
  if (const auto found = examiners_.find(key); found != examiners_.end()) return found->second;
  const PathSides sides = sides_of(path, version);
  return examiners_
      .emplace(std::piecewise_construct, std::forward_as_tuple(key),
               std::forward_as_tuple(sides.subject, sides.oracle, time_limit_, known_))
      .first->second;
}

}  // namespace upcast::fuzz
