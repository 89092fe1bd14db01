#include "oracle/side.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "impl/core/error.h"

namespace upcast {
namespace {

struct VendorRow {
  std::string_view name;
  Implementation bounds;
};

/// The names and error bounds of the vendors, in the order of the enum Vendor.
constexpr std::array kVendors{VendorRow{"impl", Implementation::kOurs},
                              VendorRow{"libtorch", Implementation::kLibTorch},
                              VendorRow{"truth", Implementation::kTruth},
                              VendorRow{"plugin", Implementation::kForeign},
                              VendorRow{"process", Implementation::kForeign},
                              VendorRow{"python", Implementation::kForeign},
                              VendorRow{"rulebook", Implementation::kForeign},
                              VendorRow{"table", Implementation::kForeign},
                              VendorRow{"", Implementation::kForeign}};

constexpr std::string_view kAny = "*";

/// One kind of side that a vendor has. Its settings are listed as keys, or as KEY=VALUE if there
/// are few values.
struct Row {
  Vendor vendor;
  std::string_view target;
  std::string_view settings;
  Device device = Device::kCpu;
  std::string_view example = "";  // an example for messages, if the target may be any text
};

constexpr std::array kRows{
    Row{Vendor::kUpcast, "cpu", "capability, numbers, threads"},
    Row{Vendor::kUpcast, "meta", "", Device::kMeta},
    Row{Vendor::kUpcast, "cuda", "", Device::kCuda},
    Row{Vendor::kUpcast, "emulated", "device=cuda"},
    Row{Vendor::kLibTorch, "cpu",
        "capability=default, capability=avx2, capability=native, onednn=off, onednn=on"},
    Row{Vendor::kLibTorch, "meta", "", Device::kMeta},
    Row{Vendor::kLibTorch, "cuda", "", Device::kCuda},
    Row{Vendor::kTruth, "", ""},
    Row{Vendor::kPlugin, kAny, kAny, Device::kCpu, "plugin:build/libmine.so"},
    Row{Vendor::kProcess, kAny, "", Device::kCpu, "process:'python3 backend.py'"},
    Row{Vendor::kPython, kAny, kAny, Device::kCpu, "python:numpy or python:torch==2.5.1?via=refs"},
    Row{Vendor::kRuleBook, kAny, "", Device::kCpu, "rulebook:jax"},
    Row{Vendor::kTable, kAny, "", Device::kCpu, "table:jax_0.10.2_x64"},
    Row{Vendor::kOther, kAny, kAny}};

[[noreturn]] void fail(std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("'{}' names no side: {}", text, why));
}

/// Removes the part before `separator`, and the separator, from the start of a text. Returns that
/// part.
std::string_view take(std::string_view& text, std::string_view separator) {
  const std::string_view first = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), first.size() + separator.size()));
  return first;
}

/// Whether a word is in a list such as "a, b".
bool holds(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (take(list, ", ") == word) return true;
  return false;
}

Vendor vendor_of(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(":@?"));
  const auto found = std::find_if(kVendors.begin(), kVendors.end() - 1,
                                  [word](const VendorRow& row) { return row.name == word; });
  return static_cast<Vendor>(found - kVendors.begin());
}

/// Whether everything after the vendor is the target, without settings. A command, or a pattern of
/// names, may hold a '?'.
bool takes_all(Vendor vendor) {
  return vendor == Vendor::kProcess || vendor == Vendor::kRuleBook || vendor == Vendor::kTable;
}

/// Sets version and target from what follows the vendor's name: "@2.11.0:cpu", ":torch==2.5.1",
/// ":cpu".
void set_target(std::string_view text, std::string_view head, Side& side) {
  if (side.is_libtorch() && head.starts_with('@')) {
    side.version = take(head, ":").substr(1);
    if (side.version.empty() || side.version.find_first_not_of("0123456789.") != std::string::npos)
      fail(text, "write LibTorch's version and device as libtorch@2.11.0:cpu");
  } else if (side.vendor != Vendor::kOther && head.starts_with(':')) {
    head.remove_prefix(1);
  }
  side.target = side.vendor == Vendor::kPython ? take(head, "==") : std::exchange(head, "");
  if (!head.empty()) side.version = head;
}

void set_settings(std::string_view text, std::string_view query, Side& side) {
  while (!query.empty()) {
    std::string_view item = take(query, "&");
    const bool has_key = !item.empty() && item.front() != '=';
    const bool is_pair = has_key && item.find('=') != item.npos;
    if (!has_key || (!is_pair && side.vendor != Vendor::kOther))
      fail(text, "settings are KEY=VALUE, with & between");
    const std::string_view key = take(item, "=");
    side.settings.push_back({std::string(key), std::string(item)});
  }
}

const Row& row_of(std::string_view text, const Side& side) {
  const bool is_line = side.target.find_first_not_of(' ') != std::string::npos &&
                       side.target.find('\n') == std::string::npos;
  std::string known;
  for (const Row& row : kRows) {
    if (row.vendor != side.vendor) continue;
    if (row.vendor == Vendor::kOther || (row.target == kAny ? is_line : row.target == side.target))
      return row;
    known += known.empty() ? "write " : ", ";
    known += row.target == kAny
                 ? std::string(row.example)
                 : to_string({.vendor = row.vendor, .target = std::string(row.target)});
  }
  fail(text, known);
}

void check_settings(std::string_view text, const Row& row, const Side& side) {
  for (const Side::Setting& setting : side.settings) {
    const auto& [key, value] = setting;
    const auto has_key = [&](const Side::Setting& each) { return each.key == setting.key; };
    // a plug-in or a framework checks its settings itself
    if (row.settings != kAny &&
        std::count_if(side.settings.begin(), side.settings.end(), has_key) > 1)
      fail(text, fmt::format("give the setting {} once", key));
    const bool is_known = row.settings == kAny || holds(row.settings, key + "=" + value) ||
                          (holds(row.settings, key) && !value.empty());
    if (!is_known)
      fail(text, fmt::format("its settings are {}", row.settings.empty() ? "none" : row.settings));
  }
}

/// Sets the fields of a side that follow from the parts of its name.
void complete(const Row& row, Side& side) {
  const std::string_view device = side.setting("device");
  side.device = device == "meta"             ? Device::kMeta
                : device.starts_with("cuda") ? Device::kCuda
                                             : row.device;
  side.is_emulated = side.vendor == Vendor::kUpcast && side.target == "emulated";
  side.on_gpu = side.device == Device::kCuda && !side.is_emulated;
  side.answers_values = side.device != Device::kMeta && side.setting("via") != "eval_shape" &&
                        side.vendor != Vendor::kRuleBook && side.vendor != Vendor::kTable;
  side.bounds = kVendors[static_cast<std::size_t>(side.vendor)].bounds;
  // A bug planted in our implementation, so our bounds hold.
  const bool is_planted = side.target == "planted" || side.target == "dying";
  if (side.vendor == Vendor::kOther && is_planted) side.bounds = Implementation::kOurs;
  if (!side.is_libtorch()) return;
  std::erase(side.settings, Side::Setting{"capability", "default"});
  std::erase(side.settings, Side::Setting{"onednn", "off"});
  std::sort(side.settings.begin(), side.settings.end(),
            [](const Side::Setting& a, const Side::Setting& b) { return a.key < b.key; });
  const std::string_view capability = side.setting("capability");
  side.capability = capability.empty() ? "default" : capability;
  side.has_onednn = side.setting("onednn") == "on";
  if (!side.settings.empty()) side.bounds = Implementation::kLibTorchNative;
}

}  // namespace

std::string_view name(Vendor vendor) { return kVendors[static_cast<std::size_t>(vendor)].name; }

std::string_view Side::setting(std::string_view key) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [key](const Setting& each) { return each.key == key; });
  return found == settings.end() ? std::string_view() : found->value;
}

Side parse_side(std::string_view text) {
  Side side{.vendor = vendor_of(text)};
  std::string_view rest = text.substr(name(side.vendor).size());
  const std::string_view head = takes_all(side.vendor) ? std::exchange(rest, "") : take(rest, "?");
  set_target(text, head, side);
  set_settings(text, rest, side);
  const Row& row = row_of(text, side);
  check_settings(text, row, side);
  complete(row, side);
  return side;
}

std::string settings_text(const Side& side) {
  std::string text;
  for (const auto& [key, value] : side.settings)
    text += (text.empty() ? "" : "&") + key +
            (value.empty() && side.vendor == Vendor::kOther ? "" : "=" + value);
  return text;
}

std::string to_string(const Side& side) {
  std::string text(name(side.vendor));
  if (side.is_libtorch() && !side.version.empty()) text += "@" + side.version;
  if (!text.empty() && !side.target.empty()) text += ":";
  text += side.target;
  if (!side.is_libtorch() && !side.version.empty()) text += "==" + side.version;
  const std::string settings = settings_text(side);
  return settings.empty() ? text : text + "?" + settings;
}

Side without_version(Side side) {
  side.version.clear();
  return side;
}

Sides sides_of(std::string_view subject_name, std::string_view oracle_name) {
  const Side subject = parse_side(subject_name);
  const Side oracle = parse_side(oracle_name);
  return {subject.bounds, oracle.bounds, subject.on_gpu || oracle.on_gpu,
          subject.is_emulated || oracle.is_emulated};
}

}  // namespace upcast
