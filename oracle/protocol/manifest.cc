#include "oracle/protocol/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"
#include "oracle/protocol/version.h"

namespace upcast::protocol {
namespace {

using nlohmann::json;

constexpr std::array kForms{Form::kFunctional, Form::kInPlace, Form::kOut};

std::set<Form> read_forms(const json& names) {
  std::set<Form> forms;
  for (const std::string text : names) {
    const auto found =
        std::find_if(kForms.begin(), kForms.end(), [&](Form form) { return name(form) == text; });
    if (found == kForms.end())
      throw UsageError("knows the form '" + text + "'; there are functional, in_place and out");
    forms.insert(*found);
  }
  return forms;
}

DTypeSet read_dtypes(const json& names) {
  DTypeSet dtypes;
  for (const std::string text : names) {
    const int code = find_dtype_code(text);
    if (code == kDTypeCount)
      throw UsageError("knows the dtype '" + text +
                       "', which is none of ours (upcast list dtypes)");
    dtypes = dtypes | dtype_from_code(code);
  }
  return dtypes;
}

void read_ops(const json& hello, Manifest& manifest) {
  const std::set<Form> all = hello.contains("forms") ? read_forms(hello.at("forms"))
                                                     : std::set<Form>(kForms.begin(), kForms.end());
  if (!hello.contains("ops")) {
    if (hello.contains("forms"))
      for (const Op& op : catalogue()) manifest.ops[std::string(op.spec->name)] = all;
    return;
  }
  const json& ops = hello.at("ops");
  if (ops.empty()) throw UsageError("knows no op: name one in \"ops\", or leave it out for all");
  if (ops.is_array()) {
    for (const std::string text : ops) manifest.ops[text] = all;
    return;
  }
  for (const auto& [op, forms] : ops.items()) manifest.ops[op] = read_forms(forms);
}

std::set<Device> read_devices(const json& names) {
  std::set<Device> devices;
  for (const std::string text : names)
    if (const auto device = find_device(text)) devices.insert(*device);  // others are not asked for
  return devices;
}

Manifest read(const json& hello) {
  if (!hello.is_object() || !hello.contains("proto"))
    throw UsageError("does not say hello: its first line is no JSON object with \"proto\"");
  if (hello.contains("error")) throw UsageError(hello.at("error").get<std::string>());
  const json& version = hello.at("proto");
  if (version != kProtocolVersion)
    throw UsageError(fmt::format("speaks version {} of the protocol, this upcast version {}",
                                 version.dump(), kProtocolVersion));
  const json& impl = hello.at("impl");
  Manifest manifest;
  manifest.name = impl.at("name");
  manifest.version = impl.at("version");
  if (impl.contains("versions")) manifest.versions = impl.at("versions");
  if (hello.contains("dtypes")) manifest.dtypes = read_dtypes(hello.at("dtypes"));
  read_ops(hello, manifest);
  if (hello.contains("devices")) manifest.devices = read_devices(hello.at("devices"));
  manifest.maps_memory = hello.value("shm", false);
  return manifest;
}

std::string_view missing_form(Form form) {
  return form == Form::kOut ? "no such form: out" : "no such form: in_place";
}

/// "no such dtype: bfloat16", for every dtype there is.
std::string_view missing_dtype(DType dtype) {
  static const std::array<std::string, kDTypeCount> texts = [] {
    std::array<std::string, kDTypeCount> made;
    for (int code = 0; code < kDTypeCount; ++code)
      made[code] = fmt::format("no such dtype: {}", name(dtype_from_code(code)));
    return made;
  }();
  return texts[code(dtype)];
}

}  // namespace

Manifest read_manifest(std::string_view line, std::string_view who) {
  try {
    return read(json::parse(line));
  } catch (const json::parse_error&) {
    throw UsageError(fmt::format("{} does not speak the protocol: its first line is '{}'", who,
                                 line.substr(0, 80)));
  } catch (const json::exception& error) {
    throw UsageError(
        fmt::format("{} says hello in another form than docs/schemas/process.schema.json: {}", who,
                    error.what()));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{} {}", who, error.what()));
  }
}

std::string_view Manifest::declines(const Case& c) const {
  if (c.op != last_.op || c.form != last_.form) {
    const auto found = ops.find(c.op->spec->name);
    last_ = {c.op, c.form, ""};
    if (!ops.empty() && found == ops.end())
      last_.why = "no such op";
    else if (!ops.empty() && !found->second.contains(c.form))
      last_.why = c.form == Form::kFunctional ? "no such op" : missing_form(c.form);
  }
  if (!last_.why.empty()) return last_.why;
  for (const Operand* operand = c.arguments.data();
       operand != c.arguments.data() + c.arguments.size(); ++operand)
    if (operand->dtype != DType::kUndefined && !dtypes.empty() && !dtypes.contains(operand->dtype))
      return missing_dtype(operand->dtype);
  for (const Operand* out : {&c.out, &c.second_out})
    if (out->dtype != DType::kUndefined && !dtypes.empty() && !dtypes.contains(out->dtype))
      return missing_dtype(out->dtype);
  for (const Device device : {Device::kCuda, Device::kMeta})
    if (uses_device(c, device) && !devices.contains(device))
      return device == Device::kCuda ? "no such device: cuda" : "no such device: meta";
  return "";
}

}  // namespace upcast::protocol
