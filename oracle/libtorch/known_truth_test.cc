// Tests the known differences against the truth. For each bug in values, oracle/truth must give the
// declared right answer, and both sides must err by as much as is declared. For an entry that is no
// bug, our side must not be wrong. Each TEST needs a process of its own, because two configurations
// of LibTorch cannot share one.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/known_differences.h"
#include "cases/notation.h"
#include "impl/core/capability.h"
#include "impl/core/error.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/libtorch/register.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

/// Whether an error equals the declared one to the three digits that a declaration has.
bool is_declared(double declared, double found) {
  if (!std::isfinite(found)) return declared == found;
  return std::abs(found - declared) <= 0.006 * std::abs(found);
}

/// Whether the values that an entry declares as right are exactly the truth's. An entry may declare
/// none.
bool is_expected(const Case& c, const Answer& right) {
  if (judge_expectation(c, right)) return false;
  if (!c.expectation->values) return true;
  Answer declared = right;
  declared.bytes = *c.expectation->values;
  return to_text(declared) == to_text(right);
}

void expect_declared(const KnownDifference& entry, Subject& theirs) {
  const Case c = parse_case(entry.case_line + " -> " + entry.truth);
  TruthSubject truth;
  ImplSubject impl;
  const Answer right = answer_of(truth, c), ours = answer_of(impl, c), wrong = answer_of(theirs, c);
  const Sides sides = sides_of("impl:cpu", entry.subject.empty() ? "libtorch:cpu" : entry.subject);
  const Ruling found = truth::arbitrate(c, ours, wrong, sides);
  if (entry.difference_class != "bug") {
    EXPECT_FALSE(found.subject_is_off() && entry.both_off == nullptr)
        << entry.id << ": ours is wrong: " << sentence(found);
    return;
  }
  if (found.outcome == Ruling::Outcome::kUndecided || found.both_are_right()) {
    EXPECT_EQ(entry.no_truth, why_undecided(found))
        << entry.id << " should say: no_truth = \"" << why_undecided(found) << '"';
    return;
  }
  EXPECT_EQ(entry.no_truth, "") << entry.id << " has a truth";
  EXPECT_EQ(found.outcome, Ruling::Outcome::kOracleIsOff) << entry.id << ": " << sentence(found);
  EXPECT_TRUE(is_expected(c, right)) << entry.id << ": the truth is " << to_text(right);
  EXPECT_TRUE(is_declared(entry.ours_ulp, found.subject_ulp) &&
              is_declared(entry.wrong_ulp, found.oracle_ulp))
      << entry.id << " should say: ours_ulp = " << found.subject_ulp
      << ", wrong_ulp = " << found.oracle_ulp;
}

/// Tests all entries about one side, of which there must be some. `side` is "" for libtorch:cpu.
void expect_all_declared(const std::string& side, const std::string& subject, int more_than = 4) {
  static const bool registered = (register_libtorch_subjects(), true);
  ASSERT_TRUE(registered);
  const std::unique_ptr<Subject> theirs = make_subject(subject);
  int judged = 0;
  for (const KnownDifference& entry :
       load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml")) {
    if (entry.kinds.front() != "value" || entry.subject != side) continue;
    expect_declared(entry, *theirs);
    ++judged;
  }
  EXPECT_GT(judged, more_than);
}

TEST(KnownTruth, OfTheScalarPaths) { expect_all_declared("", "libtorch:cpu"); }

TEST(KnownTruth, OfTheVectorPaths) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  expect_all_declared("libtorch:cpu?capability=native", "libtorch:cpu?capability=native");
}

TEST(KnownTruth, OfOneDnn) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  const std::string onednn = "libtorch:cpu?capability=native&onednn=on";
  expect_all_declared(onednn, onednn, 0);
}

/// A control: a wrong declared error and a wrong declared truth are noticed.
TEST(KnownTruth, AWrongDeclarationIsFound) {
  EXPECT_TRUE(is_declared(1.23, 1.2345));
  EXPECT_FALSE(is_declared(1.2, 1.2345));
  EXPECT_TRUE(is_declared(INFINITY, INFINITY));
  EXPECT_FALSE(is_declared(1e300, INFINITY));
  EXPECT_FALSE(is_declared(INFINITY, 5));
}

}  // namespace
}  // namespace upcast
