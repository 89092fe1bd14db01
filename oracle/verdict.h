// What the judge says.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace upcast {

/// The codes are those of the run store's columns (docs/run_store.md).
enum class VerdictCode : std::uint8_t {
  kAgree,
  kKnown,
  kNotJudged,
  kDifferDType,
  kDifferShape,
  kDifferStrides,
  kDifferRefusal,
  kDifferValue,
  kDifferAlias,
  kNondeterminism,
  kCrash,
  kTimeout,
  kExpectation  // a side does not meet the line's own expectation
};

inline constexpr std::array<std::string_view, 13> kVerdictNames{
    "agree",           "known",
    "not_judged",      "differ(dtype)",
    "differ(shape)",   "differ(strides)",
    "differ(refusal)", "differ(value)",
    "differ(alias)",   "differ(nondeterminism)",
    "crash",           "timeout",
    "expectation"};

constexpr std::string_view name(VerdictCode code) { return kVerdictNames[static_cast<int>(code)]; }

/// The kind of difference: "value" for kDifferValue, "crash" for kCrash.
constexpr std::string_view kind_of(VerdictCode code) {
  const std::string_view verdict = name(code);
  return verdict.starts_with("differ(") ? verdict.substr(7, verdict.size() - 8) : verdict;
}

struct Verdict {
  VerdictCode code = VerdictCode::kAgree;
  std::int64_t values_judged = 0;
  double max_ulp = 0;    // of the values that were compared by ulp
  std::string detail{};  // where and how, for anything but agree
};

}  // namespace upcast
