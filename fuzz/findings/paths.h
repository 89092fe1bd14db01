// Compares our implementation with each path of LibTorch: the kernels that one CPU capability or
// device takes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cases/measured_findings.h"
#include "fuzz/findings/examiner.h"

namespace upcast::fuzz {

enum class Path : std::uint8_t {
  kDefault,              // what users get on a machine with AVX2: vector code and oneDNN
  kAvx2,                 // vector code without oneDNN
  kScalar,               // ATEN_CPU_CAPABILITY=default
  kMeta,                 // the meta device, which computes no values
  kDefaultAgainstScalar  // LibTorch with kDefault against kScalar; ours may agree with both
};
constexpr std::string_view name(Path path) { return kFindingPaths[static_cast<std::size_t>(path)]; }

/// The names of the two sides that a path compares: "impl:cpu" and "libtorch:cpu?capability=avx2".
/// For another version of LibTorch: "libtorch@2.14.1:cpu".
struct PathSides {
  std::string subject, oracle;
  Role wrong = Role::kOracle;  // the side that a known difference blames
};
PathSides sides_of(Path path, std::string_view version = "");

/// One examiner for each path, made when it is first used.
class PathExaminers {
 public:
  /// `known`: the known differences that may explain a case.
  PathExaminers(double time_limit, std::vector<KnownDifference> known);

  Examiner& at(Path path, const std::string& version = "");
  Finding examine(const Case& c, Path path) { return at(path).examine(c); }

 private:
  double time_limit_;
  std::vector<KnownDifference> known_;
  std::map<std::pair<Path, std::string>, Examiner> examiners_;
};

}  // namespace upcast::fuzz
