#include "oracle/side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr std::array<std::string_view, 9> kVendorNames{
    "impl", "libtorch", "truth", "plugin", "process", "python", "rulebook", "table", ""};

constexpr std::string_view kAny = "*";

/// The sides of a vendor.
struct Row {
  Vendor vendor;
  std::string_view target;
  std::string_view settings;  // their keys
  Device device = Device::kCpu;
  std::string_view example = "";  // of any target
};

constexpr std::array kRows{
    Row{Vendor::kUpcast, "cpu", "capability, threads"},
    Row{Vendor::kUpcast, "meta", "", Device::kMeta},
    Row{Vendor::kUpcast, "cuda", "", Device::kCuda},
    Row{Vendor::kUpcast, "emulated", "device"},
    Row{Vendor::kLibTorch, "cpu", "capability"},
    Row{Vendor::kLibTorch, "meta", "", Device::kMeta},
    Row{Vendor::kLibTorch, "cuda", "", Device::kCuda},
    Row{Vendor::kTruth, "", ""},
    Row{Vendor::kPlugin, kAny, kAny, Device::kCpu, "plugin:build/libmine.so"},
    Row{Vendor::kProcess, kAny, "", Device::kCpu, "process:'python3 backend.py'"},
    Row{Vendor::kPython, kAny, kAny, Device::kCpu, "python:numpy or python:torch==2.5.1?via=refs"},
    Row{Vendor::kRuleBook, kAny, "", Device::kCpu, "rulebook:jax"},
    Row{Vendor::kTable, kAny, "", Device::kCpu, "table:jax_0.10.2_x64"}};

/// The values of settings that are the same on every machine.
struct ValueRow {
  Vendor vendor;
  std::string_view key;
  std::string_view values;
};

constexpr std::array kValues{ValueRow{Vendor::kUpcast, "device", "cuda"},
                             ValueRow{Vendor::kLibTorch, "capability", "default, avx2, native"}};

/// Whether a list "a, b" holds a word.
bool holds(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(", "));
    if (item == word) return true;
    list.remove_prefix(std::min(list.size(), item.size() + 2));
  }
  return false;
}

[[noreturn]] void fail(std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("'{}' names no side: {}", text, why));
}

/// Cuts off and returns what stands before `separator`, and cuts off the separator.
std::string_view cut(std::string_view& text, std::string_view separator) {
  const std::string_view first = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), first.size() + separator.size()));
  return first;
}

Vendor vendor_of(std::string_view text) {
  const auto found = std::find(kVendorNames.begin(), kVendorNames.end(),
                               text.substr(0, text.find_first_of(":@?")));
  return found == kVendorNames.end() || found->empty()
             ? Vendor::kOther
             : static_cast<Vendor>(found - kVendorNames.begin());
}

std::vector<Setting> parse_settings(std::string_view query, bool are_pairs, std::string_view text) {
  std::vector<Setting> settings;
  while (!query.empty()) {
    std::string_view item = cut(query, "&");
    const bool is_pair = item.find('=') != item.npos;
    const std::string_view key = cut(item, "=");
    if (are_pairs && (!is_pair || key.empty()))
      fail(text, "settings are KEY=VALUE, with & between");
    settings.push_back({std::string(key), std::string(item)});
  }
  return settings;
}

/// Whether all after the vendor is the target: a command, or a pattern of names, may hold a '?'.
bool takes_all(Vendor vendor) {
  return vendor == Vendor::kProcess || vendor == Vendor::kRuleBook || vendor == Vendor::kTable;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
  });
}

bool is_version(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
}

/// The row of a target.
const Row& row_of(const Side& side, std::string_view text) {
  std::string known;
  for (const Row& row : kRows) {
    if (row.vendor != side.vendor) continue;
    const bool is_line = side.target.find_first_not_of(' ') != side.target.npos &&
                         side.target.find('\n') == side.target.npos;
    if (row.target == kAny ? is_line : row.target == side.target) return row;
    known += known.empty() ? "write " : ", ";
    known += row.target == kAny
                 ? std::string(row.example)
                 : to_string({.vendor = row.vendor, .target = std::string(row.target)});
  }
  fail(text, known);
}

void check_settings(const Side& side, const Row& row, std::string_view text) {
  const std::string head(text.substr(0, text.find('?')));
  for (const auto& [key, value] : side.settings) {
    if (row.settings.empty()) throw UsageError(head + " has no settings");
    if (row.settings != kAny && !holds(row.settings, key))
      throw UsageError(fmt::format("unknown setting '{}' of {} ({})", key, head, row.settings));
    if (row.settings != kAny && value.empty()) fail(text, key + " has no value");
    if (row.settings != kAny && value.empty()) fail(text, key + " has no value");
    for (const ValueRow& values : kValues)
      if (values.vendor == side.vendor && values.key == key && !holds(values.values, value))
        throw UsageError(fmt::format("{}={} is not one of {}", key, value, values.values));
  }
}

/// LibTorch's version and target of "libtorch@2.11.0:cpu".
void split_libtorch(std::string_view text, std::string_view head, Side& side) {
  const bool is_versioned = head.starts_with('@');
  const std::string_view version = cut(head, ":");
  if (is_versioned) side.version = version.substr(1);
  side.target = head;
  if (is_versioned && !is_version(side.version))
    fail(text, "write LibTorch's version and device as libtorch@2.11.0:cpu");
}

/// A framework and its version of "torch==2.5.1".
void split_python(std::string_view text, Side& side) {
  const std::size_t equals = side.target.find("==");
  const bool is_versioned = equals != side.target.npos;
  if (is_versioned) side.version = side.target.substr(equals + 2);
  side.target.resize(std::min(side.target.size(), equals));
  if (!is_word(side.target) || (is_versioned && !is_word(side.version)))
    fail(text, fmt::format("it names no framework; write {}",
                           row_of({.vendor = Vendor::kPython, .target = "x"}, text).example));
}

Implementation bounds_of(const Side& side) {
  switch (side.vendor) {
    case Vendor::kUpcast:
      return Implementation::kOurs;
    case Vendor::kLibTorch:
      return side.capability == "default" ? Implementation::kLibTorch
                                          : Implementation::kLibTorchNative;
    case Vendor::kTruth:
      return Implementation::kTruth;
    default:  // ours with a bug is held to our bounds
      return side.vendor == Vendor::kOther && (side.target == "planted" || side.target == "dying")
                 ? Implementation::kOurs
                 : Implementation::kForeign;
  }
}

/// What follows from the parts of the name.
void complete(const Row& row, Side& side) {
  const std::string_view device = side.setting("device");
  side.device = device == "meta"             ? Device::kMeta
                : device.starts_with("cuda") ? Device::kCuda
                                             : row.device;
  const bool emulated = side.vendor == Vendor::kUpcast && side.target == "emulated";
  side.on_gpu = side.device == Device::kCuda && !emulated;
  side.answers_values = side.device != Device::kMeta && side.setting("via") != "eval_shape" &&
                        side.vendor != Vendor::kRuleBook && side.vendor != Vendor::kTable;
  if (!side.is_libtorch()) return;
  side.capability = side.settings.empty() ? "default" : side.settings.front().value;
  if (side.capability == "default") side.settings.clear();
}

}  // namespace

std::string_view name(Vendor vendor) { return kVendorNames[static_cast<std::size_t>(vendor)]; }

std::string_view words(Implementation bounds) {
  static constexpr std::array<std::string_view, 5> kWords{
      "our bounds", "LibTorch's bounds", "the bounds of LibTorch's vector paths",
      "correct rounding", "the bounds for foreign sides, the larger of ours and LibTorch's"};
  return kWords[static_cast<std::size_t>(bounds)];
}

std::string_view Side::setting(std::string_view key) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [key](const Setting& each) { return each.key == key; });
  return found == settings.end() ? std::string_view() : found->value;
}

Side parse_side(std::string_view text) {
  Side side{.vendor = vendor_of(text)};
  std::string_view rest = text;
  std::string_view head = takes_all(side.vendor) ? std::exchange(rest, "") : cut(rest, "?");
  const bool is_registered = side.vendor == Vendor::kOther;
  side.settings = parse_settings(rest, /*are_pairs=*/!is_registered, text);
  head.remove_prefix(name(side.vendor).size());
  if (side.is_libtorch())
    split_libtorch(text, head, side);
  else
    side.target = head.substr(!is_registered && head.starts_with(':') ? 1 : 0);
  if (side.vendor == Vendor::kPython) split_python(text, side);
  static constexpr Row kRegistered{Vendor::kOther, kAny, kAny};
  const Row& row = is_registered ? kRegistered : row_of(side, text);
  check_settings(side, row, text);
  complete(row, side);
  side.bounds = bounds_of(side);
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

Sides sides_of(const Side& subject, const Side& oracle) {
  return {subject.bounds, oracle.bounds, subject.on_gpu || oracle.on_gpu};
}

Sides sides_of(std::string_view subject, std::string_view oracle) {
  return sides_of(parse_side(subject), parse_side(oracle));
}

}  // namespace upcast
