// Where the programs of a wheel or an archive find LibTorch, which these do not contain, and what
// to do where the LibTorch that installed programs are linked with is gone. The programs of a build
// tree are linked with their own, and nothing here changes that.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace upcast::tools {

struct LibTorchHome {
  std::string problem;  // why no program can load LibTorch, and what to do; "": it can
  std::vector<std::string>
      folders;  // folders of its libraries, for the loader; empty in a build tree
};

/// For the package whose programs are in `programs`: LIBTORCH, else the torch that is installed
/// next to the package. A package names the version it needs in share/upcast/libtorch_version, an
/// installation what it is linked with in share/upcast/libtorch_linked.
LibTorchHome find_libtorch(const std::filesystem::path& programs);

/// The problem with the LibTorch of this program's package; "" if there is none.
std::string libtorch_problem();

/// Puts LibTorch on LD_LIBRARY_PATH for the programs that this one starts; those of others get the
/// caller's own value back (protocol::ChildProcess). Throws UsageError with the problem.
void need_libtorch();

}  // namespace upcast::tools
