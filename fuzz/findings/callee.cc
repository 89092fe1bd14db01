#include "fuzz/findings/callee.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"
#include "oracle/protocol/python_subject.h"

namespace upcast::fuzz {
namespace {

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

/// Whether a side is torch called directly, not by its compiler or its references.
bool is_plain_torch(const Side& side) {
  const std::string_view via = side.setting("via");
  return (side.target == "torch" && (via.empty() || via == "eager")) || side.target == "functions";
}

/// Whether a program other than upcast can call a side.
bool is_callable(const Side& side) {
  return side.vendor == Vendor::kLibTorch || side.vendor == Vendor::kPlugin ||
         side.vendor == Vendor::kProcess || side.vendor == Vendor::kPython;
}

/// The settings that a plug-in is given, as JSON. The device is left out: the host decides it.
std::string plugin_settings(const Side& side) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [key, value] : side.settings)
    if (key != "device") json[key] = value;
  return json.empty() ? "" : json.dump();
}

}  // namespace

Callee callee_of(const Side& side) {
  Callee callee{.name = to_string(side)};
  switch (side.vendor) {
    case Vendor::kLibTorch:
      return callee;
    case Vendor::kPlugin:
      callee.kind = Callee::Kind::kPlugin;
      callee.target = std::filesystem::absolute(side.target).lexically_normal();
      callee.settings = plugin_settings(side);
      callee.infers = side.device == Device::kMeta;
      return callee;
    case Vendor::kProcess:
      callee.kind = Callee::Kind::kProcess;
      callee.target = side.target;
      return callee;
    case Vendor::kPython:
      if (!is_plain_torch(side)) {
        callee.kind = Callee::Kind::kProcess;
        callee.target = protocol::framework_command(side);
        return callee;
      }
      callee.kind = Callee::Kind::kTorch;
      callee.target = side.setting("device").empty() ? "cpu" : side.setting("device");
      callee.imports = parts_of(side.setting("import"));
      callee.kernels = side.setting("module");
      return callee;
    default:
      throw UsageError(
          fmt::format("only upcast itself can call {}; programs can call LibTorch, torch, plug-ins "
                      "and processes",
                      to_string(side)));
  }
}

Role suspect(const Side& subject, const Side& oracle, std::optional<Role> wrong) {
  if (wrong == Role::kSubject || wrong == Role::kOracle) return *wrong;
  if (!is_callable(subject) && is_callable(oracle)) return Role::kOracle;
  const bool same = subject.capability == oracle.capability && subject.version == oracle.version;
  if (subject.is_libtorch() && oracle.is_libtorch() && same) return Role::kOracle;
  return Role::kSubject;
}

std::string why_not_in_cpp(const Callee& callee) {
  switch (callee.kind) {
    case Callee::Kind::kTorch:
      return callee.name + " is called from Python";
    case Callee::Kind::kProcess:
      return callee.name + " is a process, which a Python program asks";
    default:
      return "";
  }
}

std::string why_not_in_python(const Callee& callee) {
  return callee.kind == Callee::Kind::kPlugin ? callee.name + " is called from C++" : "";
}

}  // namespace upcast::fuzz
