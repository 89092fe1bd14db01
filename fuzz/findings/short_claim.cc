#include "fuzz/findings/short_claim.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "cases/notation.h"
#include "cases/operand_text.h"
#include "fuzz/findings/short_values.h"

namespace upcast::fuzz::internal {
namespace {

using Part = ValueClaim::Part;
using Test = ValueClaim::Test;

/// The elements that Reproducible::truth spells out. None if that text is not the exact value, is
/// cut, or has another dtype or shape than the result.
std::vector<std::byte> exact_elements(const Reproducible& finding) {
  std::string_view text = finding.truth;
  if (!text.ends_with(kCorrectlyRounded)) return {};
  text.remove_suffix(kCorrectlyRounded.size());
  try {
    TextCursor cursor(text);
    const Operand truth = parse_operand(cursor);
    const Answer& right = finding.right.answer;
    const bool is_whole = cursor.at_end() && truth.tag == Operand::Tag::kTensor;
    if (is_whole && truth.dtype == right.dtype && truth.sizes == right.sizes) return truth.values;
  } catch (const SyntaxFault&) {
    // a text that was cut cannot be read
  }
  return {};
}

/// The tolerance, rounded up to the fewest digits with which it still excludes the wrong value, at
/// `distance` from the right one.
double few_digits(double tolerance, double distance) {
  const double scale = std::pow(10, std::floor(std::log10(tolerance)));
  for (const double step : {1.0, 0.1, 0.01}) {
    const double raised = std::ceil(tolerance / scale / step) * step * scale;
    const double rounded = std::strtod(fmt::format("{:.2e}", raised).c_str(), nullptr);
    if (std::isfinite(rounded) && rounded >= tolerance && !(distance <= rounded)) return rounded;
  }
  return tolerance;
}

/// Sets in `claim` how the program distinguishes the wrong value from the right one. Returns false
/// if no test can.
bool tell(double right, double wrong, double tolerance, ValueClaim& claim) {
  claim.expected = Number(right);
  if (std::isnan(right)) {
    // The sign of a NaN means nothing, so the program expects any NaN.
    claim.expected = Number(std::numeric_limits<double>::quiet_NaN());
    claim.test = Test::kIsNan;
    return !std::isnan(wrong);
  }
  if (right == wrong) {
    claim.test = Test::kSign;
    return std::signbit(right) != std::signbit(wrong);
  }
  claim.test = std::isfinite(right) && tolerance > 0 ? Test::kNear : Test::kEqual;
  const double distance = std::abs(right - wrong);
  if (claim.test == Test::kNear) claim.tolerance = few_digits(tolerance, distance);
  return !(distance <= tolerance);
}

bool tell(Complex<double> right, Complex<double> wrong, double tolerance, ValueClaim& claim) {
  ValueClaim imaginary = claim;
  const bool real_differs = tell(right.re, wrong.re, tolerance, claim);
  const bool imaginary_differs = tell(right.im, wrong.im, tolerance, imaginary);
  const auto is_number = [](const ValueClaim& each) {
    return each.test == Test::kNear || each.test == Test::kEqual;
  };
  const bool is_finite = std::isfinite(right.re) && std::isfinite(right.im);
  if (real_differs && imaginary_differs && is_finite && is_number(claim) && is_number(imaginary)) {
    claim.expected = Number(right);
    claim.tolerance = std::max(claim.tolerance, imaginary.tolerance);
    if (claim.tolerance > 0) claim.test = Test::kNear;
    return true;
  }
  if (!real_differs) claim = imaginary;
  claim.part = real_differs ? Part::kReal : Part::kImaginary;
  return real_differs || imaginary_differs;
}

bool tell(DType dtype, const std::byte* right, const std::byte* wrong, double tolerance,
          ValueClaim& claim) {
  return number_of(dtype, right).visit([&](auto value) {
    using T = decltype(value);
    const Number other = number_of(dtype, wrong);
    return other.visit([&](auto seen) -> bool {
      if constexpr (std::is_same_v<T, decltype(seen)> &&
                    (std::is_same_v<T, double> || kIsComplex<T>))
        return tell(value, seen, tolerance, claim);
      claim.expected = Number(value);
      return claim.expected != other;
    });
  });
}

/// Says where the expected value comes from, for a witness on another path: LibTorch's answer to
/// the same call by other kernels, or to another call.
std::string origin_of_path(const Case& c, const std::string& path) {
  const std::size_t on = path.rfind(" on ");
  if (on == path.npos || parse_case(path.substr(0, on)) != c)
    return "LibTorch contradicts itself; compare with: " + path;
  const std::string side = path.substr(on + 4);
  return "LibTorch's answer " + (side == "libtorch:cpu" ? "with ATEN_CPU_CAPABILITY=default"
                                 : side == "libtorch:cpu?capability=native" ? "without oneDNN"
                                                                            : "on " + side);
}

std::string origin_of_witness(const Reproducible& finding) {
  const std::string& witness = finding.witness;
  const std::string first = witness.substr(0, witness.find("; "));
  const auto after = [&first](std::string_view kind) { return first.substr(kind.size()); };
  if (first.starts_with("truth") && finding.right.answer.tag == Answer::Tag::kRefusal)
    return "upcast's answer: " + finding.right.text();
  if (first.starts_with("truth")) return "upcast's answer, which is next to the exact value";
  if (first.starts_with("path: ")) return origin_of_path(finding.c, after("path: "));
  if (first.starts_with("majority: ")) return "the answer of " + after("majority: ");
  if (first.starts_with("documentation: ")) return witness;
  return "the answer of upcast's reference implementation";
}

}  // namespace

ValueClaim value_claim(const Reproducible& finding) {
  const ElementPart first = element_parts(finding).front();
  const Answer& answer = finding.right.answer;
  const DType dtype = first.result == 0 ? answer.dtype : answer.further[first.result - 1].dtype;
  const std::vector<std::byte> right = bytes_of_hex(first.right), wrong = bytes_of_hex(first.wrong);
  ValueClaim claim{.result = first.result, .element = first.index};
  const std::vector<std::byte> exact = exact_elements(finding);
  if (const std::size_t at = first.index * right.size();
      first.result == 0 && at + right.size() <= exact.size()) {
    ValueClaim of_truth = claim;
    of_truth.is_exact = true;
    if (tell(dtype, exact.data() + at, wrong.data(), first.tolerance, of_truth)) return of_truth;
  }
  tell(dtype, right.data(), wrong.data(), first.tolerance, claim);
  return claim;
}

std::string origin_of(const Reproducible& finding, bool is_exact) {
  return is_exact ? "exactly rounded" : origin_of_witness(finding);
}

std::string expected_words_of(const Reproducible& finding) {
  constexpr std::size_t kFew = 4;
  const Answer& right = finding.right.answer;
  if (right.tag == Answer::Tag::kRefusal) return "the call raises";
  std::string text(name(right.dtype));
  if (right.tag == Answer::Tag::kDType) return text;
  const bool shows_values = !right.without_values && !right.bytes.empty();
  if (!shows_values) return fmt::format("{} of shape [{}]", text, fmt::join(right.sizes, ", "));
  const std::size_t size = static_cast<std::size_t>(itemsize(right.dtype));
  const std::size_t count = right.bytes.size() / size;
  const std::span<const std::byte> shown =
      std::span(right.bytes).first(std::min(count, kFew) * size);
  std::vector<std::string> texts = spelled_elements(right.dtype, shown, Language::kPython);
  if (texts.empty()) texts = words_of(right.dtype, shown).texts;
  text += fmt::format(" [{}", fmt::join(texts, ", "));
  return text + (count > kFew ? ", ...]" : "]");
}

}  // namespace upcast::fuzz::internal
