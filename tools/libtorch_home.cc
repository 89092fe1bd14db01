#include "tools/libtorch_home.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <regex>
#include <sstream>

#include "cases/text_file.h"
#include "impl/core/error.h"
#include "tools/paths.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
constexpr const char* kCallersLibraryPath = "UPCAST_CALLERS_LIBRARY_PATH";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string first_match(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

/// The version of a LibTorch, such as "2.15.0+cpu"; "" if the folder does not say.
std::string version_of(const fs::path& root) {
  const std::string python = first_match(file_text(root / "version.py"), "__version__ = '([^']+)'");
  if (!python.empty()) return python;
  const std::string header = file_text(root / "include/torch/headeronly/version.h");
  std::string version;
  for (const char* part : {"MAJOR", "MINOR", "PATCH"}) {
    const std::string pattern = fmt::format("define TORCH_VERSION_{} ([0-9]+)", part);
    version += (version.empty() ? "" : ".") + first_match(header, pattern.c_str());
  }
  return version == ".." ? "" : version;
}

/// Whether a LibTorch has the needed version. Builds for the CPU and for CUDA have the same
/// interface, so "2.15.0+cpu" counts as 2.15.0.
bool is_version(const std::string& found, const std::string& needed) {
  return found.substr(0, found.find('+')) == needed;
}

/// Folders that may hold CUDA's libraries: those of the wheels that pip installs next to torch,
/// those of a CUDA toolkit, and the one that ci/setup.sh fills.
std::vector<fs::path> cuda_folders(const fs::path& libraries) {
  const fs::path wheels = libraries / "../../nvidia";
  std::vector<fs::path> folders{libraries, wheels / "cu13/lib", wheels / "cuda_runtime/lib",
                                wheels / "cuda_cupti/lib"};
  for (const std::string& toolkit : {variable("CUDA_HOME"), std::string("/usr/local/cuda")})
    if (!toolkit.empty())
      for (const char* folder : {"lib64", "extras/CUPTI/lib64"})
        folders.push_back(fs::path(toolkit) / folder);
  const std::string cache = variable("XDG_CACHE_HOME");
  const fs::path upcast =
      (cache.empty() ? fs::path(variable("HOME")) / ".cache" : fs::path(cache)) / "upcast";
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(upcast, error))
    if (entry.path().filename().string().starts_with("cuda-runtime-"))
      folders.push_back(entry.path() / "nvidia/cu13/lib");
  return folders;
}

bool loader_finds(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

/// Adds the folder that holds a library of CUDA to `home`. Returns false if no folder does, and the
/// loader does not find it either.
bool add_folder_of(const std::string& library, LibTorchHome& home) {
  std::error_code error;
  for (const fs::path& folder : cuda_folders(home.folders.front())) {
    if (!fs::exists(folder / library, error)) continue;
    home.folders.push_back(folder.string());
    return true;
  }
  return loader_finds(library);
}

/// Adds the folders of two libraries of CUDA, if LibTorch is a build for CUDA: its libtorch_cpu
/// loads them, and pip installs them as wheels of their own. Sets `home.problem` if one is missing.
void add_cuda_libraries(const fs::path& root, LibTorchHome& home) {
  const std::string cuda =
      first_match(file_text(root / "version.py"), "\\ncuda[^\\n=]*= '([0-9]+)");
  if (cuda.empty()) return;
  for (const char* name : {"libcudart.so.", "libcupti.so."}) {
    const std::string library = name + cuda;
    if (add_folder_of(library, home)) continue;
    home.problem = fmt::format(
        "{} is a build for CUDA {} and needs {}, which is nowhere; run: pip install "
        "nvidia-cuda-runtime=={}.* nvidia-cuda-cupti=={}.*",
        root.string(), cuda, library, cuda, cuda);
    return;
  }
}

/// The words that say how to get the needed LibTorch: pip's command. For an archive, which pip did
/// not install, also how to set LIBTORCH.
std::string remedy(const fs::path& package, const std::string& version) {
  const std::string install = fmt::format("run: pip install torch=={}", version);
  return fs::exists(package / "__init__.py")
             ? install
             : install +
                   ", then: export LIBTORCH=$(python3 -c 'import torch; print(torch.__path__[0])')";
}

/// The LibTorch in `root`, or in its folder `torch`. If it is missing or of another version than
/// `needed`, the result has a problem, which begins with `name` and ends with `remedy`.
LibTorchHome home_at(fs::path root, const std::string& name, const std::string& needed,
                     const std::string& remedy) {
  LibTorchHome home;
  if (fs::exists(root / "torch/lib")) root /= "torch";
  const std::string where = name + root.string();
  const std::string version = version_of(root);
  if (!fs::exists(root / "lib/libtorch_cpu.so")) {
    home.problem =
        fmt::format("this command needs LibTorch {}, and {} has no lib/libtorch_cpu.so; {}", needed,
                    where, remedy);
  } else if (!is_version(version, needed)) {
    home.problem =
        fmt::format("this command needs LibTorch {}, and {} is {}; {}", needed, where,
                    version.empty() ? "of an unknown version" : "torch " + version, remedy);
  } else {
    home.folders = {(root / "lib").string()};
    add_cuda_libraries(root, home);
  }
  return home;
}

/// The LibTorch of installed programs that are linked with one. The result is empty while that one
/// exists; else it is the one that $LIBTORCH names. `file` has three lines: the version, the
/// folder, and the command that installs it again (cmake/UpcastInstall.cmake). A build tree has no
/// such file, and the result is empty.
LibTorchHome find_linked(const fs::path& file) {
  std::istringstream lines(file_text(file));
  std::string version, root, restore;
  if (!std::getline(lines, version) || !std::getline(lines, root) ||
      !std::getline(lines, restore) || fs::exists(fs::path(root) / "lib/libtorch_cpu.so"))
    return {};
  const std::string remedy =
      fmt::format("run: {}, or name another torch {}: export LIBTORCH=FOLDER", restore, version);
  const std::string chosen = variable("LIBTORCH");
  return chosen.empty() ? home_at(root, "", version, remedy)
                        : home_at(chosen, "LIBTORCH=", version, remedy);
}

}  // namespace

LibTorchHome find_libtorch(const fs::path& programs) {
  const fs::path package = programs.parent_path();
  const std::string needed =
      first_match(file_text(package / "share/upcast/libtorch_version"), "([0-9.]+)");
  if (needed.empty()) return find_linked(package / "share/upcast/libtorch_linked");
  const std::string chosen = variable("LIBTORCH");
  const fs::path root = chosen.empty() ? package.parent_path() / "torch" : fs::path(chosen);
  return home_at(root, chosen.empty() ? "" : "LIBTORCH=", needed, remedy(package, needed));
}

std::string libtorch_problem() { return find_libtorch(programs_folder()).problem; }

void need_libtorch() {
  const LibTorchHome home = find_libtorch(programs_folder());
  if (!home.problem.empty()) throw UsageError(home.problem);
  if (home.folders.empty()) return;
  if (std::getenv(kCallersLibraryPath) == nullptr)
    setenv(kCallersLibraryPath, variable(kLibraryPath).c_str(), 1);
  const std::string callers = variable(kCallersLibraryPath);
  setenv(kLibraryPath,
         fmt::format("{}{}{}", fmt::join(home.folders, ":"), callers.empty() ? "" : ":", callers)
             .c_str(),
         1);
}

}  // namespace upcast::tools
