// A side of a comparison, as its name says. The name is parsed once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/device.h"

namespace upcast {

/// Who makes a side's answers.
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

/// As in JSON.
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
    std::string value{};  // "" where a name of kOther has no '='

    bool operator==(const Setting&) const = default;
  };

  Vendor vendor = Vendor::kOther;
  std::string target{};   // "cpu", a file, a command, "numpy"; for kOther all before '?'
  std::string version{};  // "2.11.0" of libtorch@2.11.0:cpu; "": this build's or the pinned
  std::vector<Setting> settings{};

  // The fields from here on follow from those above.
  Device device = Device::kCpu;  // where its tensors lie
  bool on_gpu = false;           // a GPU computes; impl:emulated?device=cuda has none
  bool is_emulated = false;      // its kernels run on the CPU
  std::string capability{};      // LibTorch's kernels: "default", "avx2", "native"; "" for others
  bool has_onednn = false;       // whether LibTorch asks oneDNN first
  bool answers_values = true;    // false: dtypes and shapes only
  Implementation bounds = Implementation::kForeign;

  bool is_libtorch() const { return vendor == Vendor::kLibTorch; }
  /// The value of a setting; "" if it is not given.
  std::string_view setting(std::string_view key) const;

  bool operator==(const Side&) const = default;
};

/// Reads a name as a user writes it: "impl:cpu?threads=2". Throws UsageError for a known vendor
/// with a wrong name, and says what to write.
Side parse_side(std::string_view text);

/// The canonical name: parse_side() of it gives the same side.
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
  bool on_gpu = false;        // whether one of them, or both, compute on a GPU
  bool emulates_gpu = false;  // one of them runs kernels of a GPU on the CPU
};

/// By their names.
Sides sides_of(std::string_view subject, std::string_view oracle);

}  // namespace upcast
