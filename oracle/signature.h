// Signatures: two differences with one signature are the same finding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "oracle/judge.h"

namespace upcast {

/// One operand of a signature. If the difference does not depend on the operand's dtype, only the
/// dtype's category counts.
struct SignatureOperand {
  std::string name;  // "out", or an attribute's name; "" for an operand that the op computes with
  DType dtype = DType::kUndefined;
  bool any_of_category = false;
  // The operand's kind: "dim", "zero" or "empty" for a tensor, "number", "dtype"; an attribute's
  // value.
  std::string kind{};

  /// The operand as text: "f16@dim", "floating@dim", "out=f64@dim", "alpha=int",
  /// "rounding_mode=trunc".
  std::string text() const;
  bool operator==(const SignatureOperand&) const = default;
};

/// A difference without its values. Cases with the same signature are one finding. Examples of
/// text():
///   value add.Tensor(f16@dim,f16@dim,alpha=int) 0->inf
///   accepts mul.Tensor(float@dim,int@number) answer->refuses(unsupported_dtype)
///   crash div.Tensor_mode(i32@dim,i32@dim,rounding_mode=trunc) answer->SIGFPE
struct Signature {
  std::string kind;     // kind of the difference (kind_of), as "value"
  std::string op;       // "add"
  std::string call;     // "add.Tensor", "add_.Tensor", "add.out": op, overload and form
  std::string answers;  // classes of both answers, the subject's first: "0->inf"
  std::vector<SignatureOperand> operands{};
  // Settings other than the usual ones: " default=float64 @cuda"; may be "".
  std::string settings{};

  std::string text() const;
  /// The part of a signature that a simpler case must keep: kind, op and answers.
  std::string essence() const { return kind + " " + op + " " + answers; }
  /// hash_of(text()).
  std::uint32_t hash() const;
  /// crash_line(hash(), text()).
  std::string crash_line() const;
};

inline constexpr std::size_t kCrashLineLength = 80;

/// The hash of a signature, FNV-1a of 32 bits: the id of a finding.
std::uint32_t hash_of(std::string_view signature);
/// A hash as letters from a to p, one for each hexadecimal digit. It has no digits, because
/// ClusterFuzz drops digits from the text by which it groups.
std::string hash_text(std::uint32_t hash);
/// The line "FuzzerHash=fhfjfaed value add.Tensor(...". ClusterFuzz groups crashes by the hash. It
/// cuts the line that it shows at 80 characters, so this line has no more.
std::string crash_line(std::uint32_t hash, std::string_view text);

/// The signature of a difference between two replies to `c`. `code` must be that of a difference
/// (kDifferDType or above). Values are classed by the first element that the judge does not accept.
Signature signature_of(const Case& c, VerdictCode code, const Reply& subject, const Reply& oracle,
                       Sides sides);

}  // namespace upcast
