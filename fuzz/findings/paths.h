// Compares our implementation with each path on which LibTorch computes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cases/measured_findings.h"
#include "fuzz/findings/examiner.h"

namespace upcast::fuzz {

enum class Path : std::uint8_t {
  kDefault,              // a user's default on a machine with AVX2: vector code, and oneDNN
  kAvx2,                 // vector code without oneDNN
  kScalar,               // ATEN_CPU_CAPABILITY=default
  kMeta,                 // the meta device: no values
  kDefaultAgainstScalar  // kDefault against kScalar: where ours may agree with both
};
constexpr std::string_view name(Path path) { return kFindingPaths[static_cast<std::size_t>(path)]; }

/// The sides of a path: "impl:cpu" and "libtorch:cpu?capability=avx2"; for another version
/// "libtorch@2.14.1:cpu".
struct PathSides {
  std::string subject, oracle;
  Role wrong = Role::kOracle;  // the side that a known difference blames
};
PathSides sides_of(Path path, std::string_view version = "");

/// Examiners of each path. Each is made when it is first used.
class PathExaminers {
 public:
  /// `known`: the entries by which differences are explained.
  PathExaminers(double time_limit, std::vector<KnownDifference> known);

  Examiner& at(Path path, const std::string& version = "");
  Finding examine(const Case& c, Path path) { return at(path).examine(c); }

 private:
  double time_limit_;
  std::vector<KnownDifference> known_;
  std::map<std::pair<Path, std::string>, Examiner> examiners_;
};

}  // namespace upcast::fuzz
