#include "oracle/plugin/plugin_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr const char* kSymbol = "upcast_plugin";
/// The least size of a plug-in's struct. It ends after run(), without which a plug-in cannot
/// answer.
constexpr std::size_t kLeastSize = offsetof(UpcastPlugin, run) + sizeof(UpcastPlugin::run);

using Entry = const UpcastPlugin* (*)(std::uint32_t);

[[noreturn]] void fail(const std::string& file, std::string_view what) {
  throw UsageError(fmt::format("the plug-in {} {}", file, what));
}

Entry load(const std::string& file) {
  if (access(file.c_str(), R_OK) != 0)
    fail(file, "is not there, or cannot be read; name the shared library that you built");
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(file, fmt::format("cannot be loaded: {}", dlerror()));
  void* symbol = dlsym(library, kSymbol);
  if (symbol == nullptr)
    fail(file, fmt::format("has no function {}; define it with UPCAST_PLUGIN_EXPORT, as extern "
                           "\"C\" in C++ (plugin.h declares it so)",
                           kSymbol));
  return reinterpret_cast<Entry>(symbol);
}

UpcastPlugin functions_of(const std::string& file) {
  const UpcastPlugin* given = load(file)(UPCAST_PLUGIN_ABI);
  if (given == nullptr)
    fail(file,
         fmt::format("does not support ABI {}: {} returned null", UPCAST_PLUGIN_ABI, kSymbol));
  if (given->size < offsetof(UpcastPlugin, abi) + sizeof given->abi)
    fail(file, fmt::format("has a size of {} in its UpcastPlugin; set it to sizeof(UpcastPlugin)",
                           given->size));
  if (given->abi != UPCAST_PLUGIN_ABI)
    fail(file,
         fmt::format("has ABI {}, this upcast has {}; build it against this upcast's plugin.h",
                     given->abi, UPCAST_PLUGIN_ABI));
  if (given->size < kLeastSize)
    fail(file, fmt::format("has a size of {} in its UpcastPlugin; set it to sizeof(UpcastPlugin)",
                           given->size));
  UpcastPlugin functions{};
  std::memcpy(&functions, given, std::min<std::size_t>(given->size, sizeof functions));
  if (functions.describe == nullptr || functions.run == nullptr)
    fail(file, "has no describe() or no run(): they are null in its UpcastPlugin");
  return functions;
}

Manifest manifest_of(const std::string& file, const UpcastPlugin& functions) {
  const char* text = functions.describe();
  if (text == nullptr) fail(file, "has no manifest: describe() returned null");
  Manifest manifest;
  try {
    manifest = Manifest::parse(text);
  } catch (const UsageError& error) {
    fail(file, fmt::format("has a wrong manifest: {}", error.what()));
  }
  // A plug-in that takes neither CPU nor meta tensors could not be asked any case.
  if (!manifest.has(Device::kCpu) && !manifest.has(Device::kMeta))
    fail(file,
         "does not take CPU tensors (\"devices\" of its manifest), but a plug-in gets only those; "
         "add \"cpu\", and copy them to the GPU and back");
  return manifest;
}

}  // namespace

std::string plugin_settings(const Side& side) {
  auto settings = nlohmann::json::object();
  for (const auto& [key, value] : side.settings)
    if (key != "device" || side.device != Device::kMeta) settings[key] = value;
  return settings.dump();
}

PluginLibrary::PluginLibrary(const Side& side)
    : functions_(functions_of(side.target)), manifest_(manifest_of(side.target, functions_)) {
  configure(side);
  // In another floating-point mode our own conversions would round differently, and nothing would
  // show which later call changes the mode.
  if (mode_.restore())
    fail(side.target,
         "changes how the processor rounds, or makes it flush subnormals to zero, while it is "
         "loaded; "
         "link it without -ffast-math, and change the mode only within a call");
}

void PluginLibrary::configure(const Side& side) const {
  const std::string settings = plugin_settings(side);
  if (side.device == Device::kMeta && functions_.infer == nullptr)
    fail(side.target, "has no infer(), which ?device=meta asks");
  if (functions_.configure == nullptr) {
    if (settings != "{}")
      fail(side.target,
           fmt::format("has no configure(), so it takes no settings, but is given {}", settings));
    return;
  }
  if (const char* why = functions_.configure(settings.c_str()))
    fail(side.target, fmt::format("refuses its settings {}: {}", settings, why));
}

}  // namespace upcast
