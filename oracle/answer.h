// The answer of one side to a Case, or how the side died.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/rejection.h"
#include "impl/tensor/tensor.h"

namespace upcast {

struct Answer {
  enum class Tag : std::uint8_t {
    kTensor,     // the answer is a tensor: dtype, sizes, strides, bytes
    kDType,      // the answer is a dtype: of result_type, promote_types
    kRefusal,    // rejection
    kNotJudged,  // this side cannot say; detail tells why ("no such op")
    kBroken      // the reply is no answer; detail tells what is wrong with it
  };
  Tag tag = Tag::kRefusal;
  DType dtype = DType::kUndefined;
  bool weakly_typed = false;  // for kDType: weak, any other dtype wins in promotion (JAX)
  Dims sizes{};
  Dims strides{};                  // elements
  std::vector<std::byte> bytes{};  // elements in logical order; true or false is a zero-dim bool
  /// For each element, in logical order: how far a right answer may lie from it, in addition to
  /// both bounds. Infinite: this side cannot tell the element. Empty: no leeway.
  std::vector<double> leeway{};
  /// Only in the truth's answer: the exact value less the element, for each part, in logical order.
  /// Empty: not known, or the element was rounded more than once.
  std::vector<double> rest{};
  bool without_values = false;   // the side knows dtype and shape only (the meta device)
  bool without_strides = false;  // the side's tensors have no strides (JAX)
  RejectionCode rejection = RejectionCode::kOther;
  std::string detail{};           // a reason in words; never made for cases that agree
  std::vector<Answer> further{};  // the results after the first, for an op with several
};

inline constexpr std::uint8_t kCannotSayCode = 252;
inline constexpr std::uint8_t kBrokenCode = 255;  // a broken answer, which counts as a crash

/// An answer as one byte for the run store: the dtype's code, 64 + RejectionCode, kCannotSayCode or
/// kBrokenCode.
std::uint8_t answer_code(const Answer& answer);

/// The rejection code with this name; kOther for an unknown name.
RejectionCode rejection_of(std::string_view name);

/// Some elements of an answer, by their numbers in logical order.
using Elements = std::vector<std::size_t>;

/// The answer as text: "float32[4]{1,2,undecided,4}", "refuses(unsupported_dtype)", "dtype
/// float32". Long values are cut: after the first ones, or to `elements`: "float32[99]{40: 1.5, 62:
/// -0, ...}". An element of infinite leeway is undecided.
std::string to_text(const Answer& answer, const Elements& elements = {});

/// The elements whose numbers are written in a text of to_text().
Elements elements_in(std::string_view text);

/// The elements, from `first` on, whose texts differ in two tensors of one dtype and shape: as many
/// as a text shows. None where a text shows every element.
Elements differing_elements(const Answer& a, const Answer& b, std::size_t first);

/// Makes `answer` that of a side that cannot say; `why` is the reason.
inline void decline(std::string_view why, Answer& answer) {
  answer.tag = Answer::Tag::kNotJudged;
  answer.detail = why;
}

/// The reason in the answer of a side that was not asked, because the other side cannot say.
inline constexpr std::string_view kSpared = "not asked, because the other side does not answer";

/// What one side did with a Case: it answered, or it died.
struct Reply {
  Answer answer{};
  std::string death{};  // how it died: "crash(SIGFPE)", "timeout"; "" where it answered
  std::string why{};    // after a death: what the side printed last; may be ""

  bool died() const { return !death.empty(); }
  bool timed_out() const { return death == "timeout"; }
  std::string text() const { return died() ? death : to_text(answer); }
};

}  // namespace upcast
