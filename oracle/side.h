// A side of a comparison: what its name says, parsed once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/device.h"

namespace upcast {

/// The first part of a side's name, which tells who makes its answers.
enum class Vendor : std::uint8_t {
  kUpcast,    // impl:cpu
  kLibTorch,  // libtorch:cpu, libtorch@2.11.0:cpu
  kTruth,     // truth
  kPlugin,    // plugin:FILE
  kProcess,   // process:COMMAND
  kPython,    // python:numpy, python:torch==2.5.1
  kRuleBook,  // rulebook:NAME
  kTable,     // table:NAME
  kOther      // a name that a program registers for itself: planted?bug=NAME
};

/// Whose error bounds a side is held to (oracle/error_bounds.h).
enum class Implementation : std::uint8_t { kOurs, kLibTorch, kLibTorchNative, kTruth, kForeign };

/// The name of a class of error bounds, as JSON outputs have it.
constexpr std::string_view name(Implementation bounds) {
  constexpr std::array<std::string_view, 5> kNames{"ours", "libtorch", "libtorch_native", "truth",
                                                   "foreign"};
  return kNames[static_cast<std::size_t>(bounds)];
}

/// For people.
constexpr std::string_view words(Implementation bounds) {
  constexpr std::array<std::string_view, 5> kWords{
      "our bounds", "LibTorch's bounds", "the bounds of LibTorch's vector paths",
      "correct rounding", "the bounds for foreign sides, the larger of ours and LibTorch's"};
  return kWords[static_cast<std::size_t>(bounds)];
}

struct Side {
  struct Setting {
    std::string key;
    std::string value{};  // the text after '='; "" for a setting of kOther without '='

    bool operator==(const Setting&) const = default;
  };

  Vendor vendor = Vendor::kOther;
  std::string target{};  // what answers: "cpu", a file, "numpy"; for kOther everything before '?'
  // "2.11.0" for libtorch@2.11.0:cpu; "": the version of this build, or the pinned one.
  std::string version{};
  std::vector<Setting> settings{};

  // The fields below follow from those above.
  Device device = Device::kCpu;  // where the side's tensors lie
  bool on_gpu = false;           // whether a GPU computes; false for impl:emulated?device=cuda
  bool is_emulated = false;      // whether a GPU's kernels run on the CPU
  // Which kernels LibTorch picks: "default", "avx2", "native"; "" for other sides.
  std::string capability{};
  bool has_onednn = false;     // whether LibTorch asks oneDNN first
  bool answers_values = true;  // whether the side answers values, and not dtypes and shapes only
  Implementation bounds = Implementation::kForeign;

  bool is_libtorch() const { return vendor == Vendor::kLibTorch; }
  /// The value of a setting; "" if the name does not give it.
  std::string_view setting(std::string_view key) const;

  bool operator==(const Side&) const = default;
};

/// Parses a name as a user writes it: "impl:cpu?threads=2". Throws UsageError if the vendor is
/// known and the rest is wrong; the message says what to write.
Side parse_side(std::string_view text);

/// The canonical name of a side; parse_side() of that name gives the same side.
std::string to_string(const Side& side);

/// The name of a vendor: "impl", "libtorch"; "" for kOther.
std::string_view name(Vendor vendor);

/// "capability=native&threads=2".
std::string settings_text(const Side& side);

/// The side without its version: libtorch:cpu for libtorch@2.11.0:cpu.
Side without_version(Side side);

/// Facts about the two sides of a comparison that the judge needs.
struct Sides {
  Implementation subject = Implementation::kOurs;
  Implementation oracle = Implementation::kLibTorch;
  bool on_gpu = false;        // whether at least one of them computes on a GPU
  bool emulates_gpu = false;  // whether one of them runs a GPU's kernels on the CPU
};

/// The facts about two sides, by their names.
Sides sides_of(std::string_view subject, std::string_view oracle);

}  // namespace upcast
