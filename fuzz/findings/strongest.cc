#include "fuzz/findings/strongest.h"

#include <algorithm>
#include <array>
#include <limits>

#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/ordinary.h"
#include "fuzz/findings/derived_cases.h"
#include "impl/core/error.h"

namespace upcast::fuzz {
namespace {

constexpr std::int64_t kSampled = 1024;
constexpr std::uint64_t kSeed = 28;
/// Lengths of vectors that are tried. A vector's body may show a difference that its tail does not.
constexpr std::array<std::int64_t, 3> kLengths{1, 16, 64};
constexpr std::array kForms{Form::kFunctional, Form::kInPlace, Form::kOut};

class ReachSearch {
 public:
  ReachSearch(const KnownDifference& entry, PathExaminers& paths)
      : entry_(entry), paths_(paths), own_(parse_case(entry.case_line)) {}

  Reach run() {
    reach_.path = path_of_own_case();
    if (is_cheap()) {
      for (const DType dtype : dtypes()) look_at_dtype(dtype);
      shorten();
    }
    look_at_forms();
    return std::move(reach_);
  }

 private:
  /// Whether asking an entry's cases is cheap. A case that ends the process costs the start of
  /// another LibTorch, so then few cases are asked.
  bool is_cheap() const { return !entry_.is_of("timeout") && !entry_.is_of("crash"); }

  bool explains(const Finding& finding) const { return finding.known == entry_.id; }
  bool shows(const Case& c, Path path) { return explains(paths_.examine(c, path)); }

  /// The first path on which the entry's own case shows the difference. That case becomes the
  /// strongest so far.
  Path path_of_own_case() {
    const bool is_meta = entry_.subject == "libtorch:meta";
    std::vector<Path> tried{Path::kDefault, Path::kAvx2, Path::kScalar,
                            Path::kDefaultAgainstScalar};
    if (is_meta) tried = {Path::kMeta};
    for (const Path path : tried) {
      Finding finding = paths_.examine(own_, path);
      if (!explains(finding)) continue;
      keep(std::move(finding), path);
      return path;
    }
    throw UsageError("known difference " + entry_.id + " does not show: " + entry_.case_line);
  }

  Strength strength_at(const Finding& finding, Path path) {
    return strength_of(finding, paths_.at(path).sides(), sides_of(path).wrong);
  }

  void keep(Finding finding, Path path) {
    reach_.strength = strength_at(finding, path);
    reach_.strongest = std::move(finding);
  }

  /// Asks about a case, and keeps it if it is the strongest so far. Returns whether it shows the
  /// difference at all.
  bool ask(const Case& c) {
    Finding finding = paths_.examine(c, reach_.path);
    if (!explains(finding)) return false;
    const Strength strength = strength_at(finding, reach_.path);
    if (strength < reach_.strength) {
      reach_.strength = strength;
      reach_.strongest = std::move(finding);
    }
    return true;
  }

  /// The dtypes that all tensors of the entry's case can have. kUndefined alone if they have
  /// several.
  std::vector<DType> dtypes() const {
    if (!only_dtype(own_)) return {DType::kUndefined};
    return from_the_most_common();
  }
  Case own_in(DType dtype) const {
    Case c = dtype == DType::kUndefined ? own_ : in_dtype(own_, dtype);
    c.expectation.reset();
    return c;
  }
  static Case functional(const Case& c) {
    return in_form(c, Form::kFunctional, DType::kUndefined, {}).value_or(c);
  }

  void look_at_dtype(DType dtype) {
    const Case own = functional(own_in(dtype));
    ask(own);
    if (tensor_arguments(own).empty() || own.form != Form::kFunctional) return;
    Random random(kSeed);
    const Case drawn = with_ordinary_elements(own, random, kSampled);
    const Finding finding = paths_.examine(drawn, reach_.path);
    if (!explains(finding)) return;
    if (finding.verdict.found == VerdictCode::kDifferValue) count(finding, dtype);
    const std::size_t element = strength_at(finding, reach_.path).element;
    for (const std::int64_t length : kLengths)
      if (ask(with_one_element(drawn, element, length))) break;
  }

  /// Counts wrong answers among ordinary operands, for the most common dtype that has such
  /// operands. Later dtypes are not counted. Numbers among the arguments are those of the entry,
  /// and may not be ordinary.
  void count(const Finding& finding, DType dtype) {
    if (reach_.sample || is_experimental(finding.c) || !is_ordinary(finding.c)) return;
    std::vector<double> errors;
    for (const ElementError& error :
         element_errors(finding.c, finding.subject.answer, finding.oracle.answer,
                        paths_.at(reach_.path).sides(), sides_of(reach_.path).wrong))
      errors.push_back(error.relative);
    if (errors.empty()) return;
    std::sort(errors.begin(), errors.end());
    reach_.sample = {.dtype = dtype,
                     .inputs = numel(finding.oracle.answer.sizes),
                     .wrong = std::ssize(errors),
                     .median_error = errors[errors.size() / 2],
                     .largest_error = errors.back()};
  }

  /// Tries fewer elements and fewer digits in the strongest case, as long as its error stays at
  /// least half as large.
  void shorten() {
    for (const std::int64_t length : kLengths)
      if (keep_if_shorter(with_one_element(reach_.strongest.c, reach_.strength.element, length)))
        break;
    for (const int digits : {1, 2, 3, 4})
      if (keep_if_shorter(with_digits(reach_.strongest.c, digits))) break;
  }

  bool keep_if_shorter(const Case& c) {
    const Strength& before = reach_.strength;
    if (print_case(c).size() >= before.length) return false;
    Finding finding = paths_.examine(c, reach_.path);
    if (!explains(finding)) return false;
    const Strength after = strength_at(finding, reach_.path);
    if (after.severity != before.severity || after.faintness != before.faintness ||
        after.error < before.error / 2)
      return false;
    reach_.strength = after;
    reach_.strongest = std::move(finding);
    return true;
  }

  /// Asks, on each path, the entry's own case and the strongest case of each dtype and form.
  void look_at_forms() {
    std::vector<Path> paths{Path::kDefault, Path::kAvx2, Path::kScalar};
    if (reach_.path == Path::kMeta || reach_.path == Path::kDefaultAgainstScalar)
      paths = {reach_.path};
    for (const DType dtype : is_cheap() ? dtypes() : std::vector{DType::kUndefined}) {
      std::vector<Case> cases{functional(own_in(dtype))};
      const bool may_convert = only_dtype(reach_.strongest.c).has_value();
      if (dtype == DType::kUndefined || may_convert)
        cases.push_back(functional(
            dtype == DType::kUndefined ? reach_.strongest.c : in_dtype(reach_.strongest.c, dtype)));
      look_at_forms_of(cases, dtype, paths);
    }
  }

  void look_at_forms_of(const std::vector<Case>& cases, DType dtype,
                        const std::vector<Path>& paths) {
    const Path any = paths.front();
    for (const Form form : kForms) {
      std::vector<Case> formed;
      const bool is_own_dtype = dtype == DType::kUndefined || dtype == only_dtype(own_);
      if (form == own_.form && is_own_dtype) formed.push_back(own_);  // with its own out=
      for (const Case& c : cases) {
        const Answer right = paths_.examine(c, any).subject.answer;
        if (right.tag != Answer::Tag::kTensor && form == Form::kOut) continue;
        if (const auto made = in_form(c, form, right.dtype, right.sizes)) formed.push_back(*made);
      }
      if (formed.empty()) continue;
      for (const Path path : paths)
        reach_.shows.push_back({dtype, form, path, std::ranges::any_of(formed, [&](const Case& c) {
                                  return shows(c, path);
                                })});
    }
  }

  const KnownDifference& entry_;
  PathExaminers& paths_;
  const Case own_;
  Reach reach_;
};

}  // namespace

Reach reach_of(const KnownDifference& entry, PathExaminers& paths) {
  return ReachSearch(entry, paths).run();
}

}  // namespace upcast::fuzz
