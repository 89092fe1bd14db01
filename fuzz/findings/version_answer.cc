#include "fuzz/findings/version_answer.h"

#include "fuzz/findings/minimize.h"

namespace upcast::fuzz {

VersionAnswer version_answer(const Finding& first, const Finding& there, Sides sides, Role wrong) {
  if (is_agreement(there.verdict.found)) return VersionAnswer::kRight;
  if (!there.signature) return VersionAnswer::kNotJudged;
  const auto shown = [&](const Finding& finding) {
    return Shown{.signature = finding.signature,
                 .errors = element_errors(finding.c, finding.subject.answer, finding.oracle.answer,
                                          sides, wrong)};
  };
  const Shown earlier = shown(first);
  const std::string why_not =
      why_not_the_same(shown(there), earlier, worst_of_its_kind(earlier.errors));
  return why_not.empty() ? VersionAnswer::kShows : VersionAnswer::kDiffersOtherwise;
}

}  // namespace upcast::fuzz
