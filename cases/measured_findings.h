// What was measured of declared differences: how severe each is, who can meet it, where it shows,
// and short programs that show it.
//
// upcast-measure-findings makes cases/measured_findings.json from cases/known_differences.toml.
// That file is {"$schema": ..., "findings": [...]}, the worst finding first. A finding:
//
//   {"id": "logit-of-...",            the known difference
//    "severity": "wrong_value",       one of kSeverityNames
//    "reach": {"python": "torch.logit",   the public name; "" if only C++ makes the call
//              "default_path": true},     whether a machine with AVX2 shows it without any setting;
//                                         always true for the meta device
//    "case": "logit(...)",            the case that shows it best
//    "subject": "impl:cpu", "oracle": "libtorch:cpu",   the sides between which it shows
//    "right": "bfloat16[1]{4}", "wrong": "bfloat16[1]{2}",
//    "relative_error": 0.5,           or "inf"; null if the answers have no relative error
//    "sample": {"dtype", "inputs", "wrong", "median_error", "largest_error"},   ordinary random
//                                     inputs; null if none were asked
//    "shows": [{"dtype", "form", "path": one of kFindingPaths, "shows"}, ...],
//    "versions": {"2.15.0": "shows", ...},   for each LibTorch at hand, its answer to the case: one
//                                     of kVersionAnswers
//    "python": "import torch...", "why_no_python": "",   one of the two is ""
//    "cpp": "#include ..."}           or ""
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/severity.h"

namespace upcast {

/// The paths of LibTorch that a finding was measured on. `default` is the path of a user who sets
/// nothing.
inline constexpr std::array<std::string_view, 5> kFindingPaths{"default", "avx2", "scalar", "meta",
                                                               "default against scalar"};

/// What a version of LibTorch answers to the case that shows a finding best.
enum class VersionAnswer : std::uint8_t {
  kShows,             // the same kind of wrong answer, by the same order of magnitude
  kDiffersOtherwise,  // another wrong answer, or a refusal of an unknown call
  kRight,
  kNotJudged
};
inline constexpr std::array<std::string_view, 4> kVersionAnswers{"shows", "differs otherwise",
                                                                 "right", "not judged"};
constexpr std::string_view name(VersionAnswer answer) {
  return kVersionAnswers[static_cast<std::size_t>(answer)];
}

struct MeasuredFinding {
  struct Reach {
    std::string python;
    bool default_path = false;

    bool operator==(const Reach&) const = default;
  };
  /// A sample of ordinary random inputs: how many of them are answered wrongly, and the relative
  /// errors of the wrong answers.
  struct Sample {
    std::string dtype;
    std::int64_t inputs = 0, wrong = 0;
    double median_error = 0, largest_error = 0;

    bool operator==(const Sample&) const = default;
  };
  /// Whether a finding shows in a dtype and form on a path.
  struct Cell {
    std::string dtype, form, path;
    bool shows = false;

    bool operator==(const Cell&) const = default;
  };

  std::string id;
  Severity severity = Severity::kCrash;
  Reach reach;
  std::string case_line, subject, oracle, right, wrong;
  std::optional<double> relative_error;  // may be infinite; nothing: the answers have no error
  std::optional<Sample> sample;
  std::vector<Cell> shows;
  std::vector<std::pair<std::string, VersionAnswer>> versions;  // the oldest LibTorch first
  std::string python, why_no_python, cpp;

  bool operator==(const MeasuredFinding&) const = default;
};

/// Reads the findings in file order. Throws UsageError with the place of the fault, as a JSON
/// pointer, for: a text that is not JSON, a key that is missing or unknown, a value of another
/// type, an unknown word, an id that is used twice.
std::vector<MeasuredFinding> parse_measured_findings(std::string_view json);

}  // namespace upcast
