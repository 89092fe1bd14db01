#include "oracle/modules/modules.h"

#include <dlfcn.h>

#include <filesystem>
#include <memory>

#include "impl/core/error.h"
#include "oracle/modules/module.h"

namespace upcast {
namespace {

std::unique_ptr<Subject> load(const Side& side) {
  const std::string name = to_string(side);
  const std::string file = module_file(side.target);
  if (!std::filesystem::exists(file)) {
    throw UsageError(name + " needs " + file +
                     ", which is missing; in a source tree, run: ci/provide.sh build upcast_" +
                     side.target + "_module");
  }
  // The module is never unloaded, because the subject's code is in it.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw UsageError(name + ": " + dlerror());
  const auto make =
      reinterpret_cast<decltype(&upcast_make_subject)>(dlsym(library, "upcast_make_subject"));
  if (make == nullptr) throw UsageError(name + ": " + dlerror());
  return std::unique_ptr<Subject>(make(name.c_str()));
}

}  // namespace

std::string module_file(std::string_view name) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = program.parent_path().parent_path() / "lib/upcast";
  return (folder / ("libupcast_" + std::string(name) + ".so")).string();
}

void register_module_subjects() {
  for (const char* module : {"impl:cuda", "impl:emulated"}) register_subject(module, &load);
}

}  // namespace upcast
