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

constexpr std::string_view kPrefix = "plugin:";
constexpr const char* kSymbol = "upcast_plugin";
/// Up to run(), without which there is nothing to ask.
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
    fail(file, fmt::format("does not serve ABI {}: {} returned null", UPCAST_PLUGIN_ABI, kSymbol));
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
  if (text == nullptr) fail(file, "describes nothing: describe() returned null");
  Manifest manifest;
  try {
    manifest = Manifest::parse(text);
  } catch (const UsageError& error) {
    fail(file, fmt::format("describes itself wrongly: {}", error.what()));
  }
  // Or nothing would ever be asked of it.
  if (!manifest.has(Device::kCpu) && !manifest.has(Device::kMeta))
    fail(file,
         "takes no tensors of the CPU (\"devices\" of its manifest), and gets no others; name "
         "\"cpu\", and copy them to the GPU and back");
  return manifest;
}

}  // namespace

PluginName parse_plugin_name(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.size() == kPrefix.size())
    throw UsageError("a plug-in is named plugin:FILE, not '" + std::string(name) + "'");
  const std::size_t query = std::min(name.find('?'), name.size());
  PluginName parsed{.file = std::string(name.substr(kPrefix.size(), query - kPrefix.size()))};
  auto settings = nlohmann::json::object();
  for (std::string_view rest = name.substr(query); !rest.empty();) {
    rest.remove_prefix(1);  // '?' or '&'
    const std::string_view item = rest.substr(0, rest.find('&'));
    rest.remove_prefix(item.size());
    const std::size_t equals = item.find('=');
    if (equals == item.npos || equals == 0)
      throw UsageError(fmt::format("'{}' in {} is no KEY=VALUE", item, name));
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = item.substr(equals + 1);
    if (key == "device" && value == "meta")
      parsed.is_meta = true;
    else
      settings[std::string(key)] = std::string(value);
  }
  parsed.settings = settings.dump();
  return parsed;
}

PluginLibrary::PluginLibrary(const PluginName& name)
    : functions_(functions_of(name.file)), manifest_(manifest_of(name.file, functions_)) {
  if (name.is_meta && functions_.infer == nullptr)
    fail(name.file, "has no infer(), which ?device=meta asks");
  if (functions_.configure == nullptr) {
    if (name.settings != "{}")
      fail(name.file, fmt::format("has no configure(), so it takes no settings, but is given {}",
                                  name.settings));
    return;
  }
  if (const char* why = functions_.configure(name.settings.c_str()))
    fail(name.file, fmt::format("refuses its settings {}: {}", name.settings, why));
}

}  // namespace upcast
