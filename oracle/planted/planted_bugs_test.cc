// Tests that each planted bug shows in its example, and that the implementation without a bug does
// not differ there.
#include "oracle/planted/planted_bugs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

Verdict against_impl(const std::string& subject, const Case& c) {
  return judge(c, answer_of(*make_planted_subject(parse_side(subject)), c),
               answer_of(*make_subject("impl:cpu"), c), sides_of("impl:cpu", "impl:cpu"));
}

TEST(PlantedBugs, EachShowsInItsExample) {
  constexpr std::string_view kAreas[]{"rules", "rules", "functors", "functors",
                                      "casts", "casts", "strides",  "indexing"};  // by mistake
  static_assert(std::size(kAreas) == std::variant_size_v<decltype(PlantedBug::mistake)>);
  std::map<std::string_view, int> areas;
  for (const PlantedBug& bug : planted_bugs()) {
    const Verdict verdict =
        against_impl("planted?bug=" + std::string(bug.name), parse_case(bug.example));
    EXPECT_GE(verdict.code, VerdictCode::kDifferDType) << bug.name << ": " << bug.example;
    ++areas[kAreas[bug.mistake.index()]];
  }
  for (const std::string_view area : {"rules", "functors", "casts", "strides", "indexing"})
    EXPECT_GE(areas[area], 5) << area;
  EXPECT_EQ(areas.size(), 5U);
  EXPECT_GE(planted_bugs().size(), 40U);
}

// A control: a bug does not show in cases that it does not affect, so that only its own cases find
// it.
TEST(PlantedBugs, NoneShowsEverywhere) {
  for (const PlantedBug& bug : planted_bugs()) {
    const std::string subject = "planted?bug=" + std::string(bug.name);
    int shows = 0, asked = 0;
    std::set<std::string_view> lines;
    for (const PlantedBug& other : planted_bugs()) {
      if (!lines.insert(other.example).second) continue;
      ++asked;
      shows += against_impl(subject, parse_case(other.example)).code != VerdictCode::kAgree;
    }
    EXPECT_LT(shows, asked / 2) << bug.name;
  }
}

TEST(PlantedBugs, NamesAreTheirOwnAndOthersAreRefused) {
  std::set<std::string_view> names;
  for (const PlantedBug& bug : planted_bugs()) EXPECT_TRUE(names.insert(bug.name).second);
  EXPECT_THROW(make_planted_subject(parse_side("planted?bug=none")), UsageError);
  EXPECT_THROW(make_planted_subject(parse_side("planted")), UsageError);
}

}  // namespace
}  // namespace upcast
