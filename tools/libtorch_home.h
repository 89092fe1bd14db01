// Finds LibTorch for the programs of a wheel or an archive, which do not contain it. For installed
// programs whose LibTorch was deleted, says how to get it again. Programs of a build tree are
// linked with their LibTorch, and need nothing of this.
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

/// Finds LibTorch for the package whose programs are in the folder `programs`: the one that
/// $LIBTORCH names, else the torch that is installed next to the package. A wheel or archive names
/// the version that it needs in share/upcast/libtorch_version. An installation names the LibTorch
/// that it is linked with in share/upcast/libtorch_linked.
LibTorchHome find_libtorch(const std::filesystem::path& programs);

/// Why this program's package has no usable LibTorch, and what to do; "" if it has one.
std::string libtorch_problem();

/// Puts LibTorch's folders on LD_LIBRARY_PATH for programs of upcast that this one starts. Programs
/// of the user get the user's own value (protocol::ChildProcess). Throws UsageError with
/// libtorch_problem() if there is one.
void need_libtorch();

}  // namespace upcast::tools
