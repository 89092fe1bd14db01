#include "reports/html/kinds_section.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "impl/core/temporary_folder.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

const SyntheticOptions kSmall{.binary_ops = 9, .unary_ops = 5, .ternary_ops = 1, .dtypes = 8};

RunData folded(const SyntheticOptions& options) {
  const TemporaryFolder folder;
  write_synthetic_store(folder / "run.db", synthetic_plan(options), options);
  const RunStore store = RunStore::open(folder / "run.db");
  return fold_run({&store});
}

const KindMatrix* matrix_of(const std::vector<KindMatrix>& matrices, VerdictCode verdict) {
  const auto found = std::find_if(matrices.begin(), matrices.end(),
                                  [&](const KindMatrix& each) { return each.verdict == verdict; });
  return found == matrices.end() ? nullptr : &*found;
}

TEST(KindMatrix, CountsEachCaseOfEachKindOnce) {
  const RunData data = folded(kSmall);
  const std::vector<KindMatrix>& matrices = data.kinds;
  ASSERT_FALSE(matrices.empty());
  EXPECT_EQ(matrices.front().verdict, VerdictCode::kDifferAccepts) << "it is read first";
  for (const KindMatrix& matrix : matrices) {
    EXPECT_EQ(matrix.counts.unexplained,
              data.summary.counts.by_verdict[static_cast<std::size_t>(matrix.verdict)])
        << name(matrix.verdict);
    for (const KindRow& row : matrix.rows) {
      std::int64_t of_dtypes = 0, most = 0;
      for (const auto& [dtype, counts] : row.dtypes) {
        of_dtypes += counts.all();
        most = std::max(most, counts.all());
      }
      EXPECT_LE(most, row.counts.all()) << row.op;
      EXPECT_GT(of_dtypes, 0) << row.op << " (a case of numbers alone has no dtype)";
      EXPECT_EQ(row.first_case < 0, row.counts.unexplained == 0) << row.op;
    }
  }
}

TEST(KindMatrix, AKnownDifferenceIsOfTheKindThatTheRunSees) {
  const std::vector<KindMatrix> matrices = folded(kSmall).kinds;
  // The known difference pow-refuses-negative-integer: the oracle refuses, so the subject accepts
  // what it should refuse.
  const KindMatrix* accepts = matrix_of(matrices, VerdictCode::kDifferAccepts);
  ASSERT_NE(accepts, nullptr);
  const auto pow = std::find_if(accepts->rows.begin(), accepts->rows.end(),
                                [](const KindRow& row) { return row.op == "pow"; });
  ASSERT_NE(pow, accepts->rows.end());
  EXPECT_GT(pow->counts.known, 0);
  EXPECT_EQ(pow->known, std::set<int>{3});
  const KindMatrix* refusal = matrix_of(matrices, VerdictCode::kDifferRefusal);
  EXPECT_TRUE(refusal == nullptr || refusal->counts.known == 0);
}

TEST(KindsSection, EachCountOpensItsCases) {
  const std::vector<RunData> runs{folded(kSmall)};
  const std::string html = kinds_section(runs);
  EXPECT_NE(html.find("<h1>By kind</h1>"), std::string::npos);
  EXPECT_NE(html.find("verdict:differ(accepts) in:cases\""), std::string::npos);
  EXPECT_NE(html.find(" known:pow-refuses-negative-integer in:cases\""), std::string::npos);
}

TEST(KindsSection, IsLeftOutWhereNothingDiffers) {
  SyntheticOptions clean{.binary_ops = 1, .unary_ops = 1, .ternary_ops = 0, .dtypes = 3};
  clean.clean = true;
  const std::vector<RunData> runs{folded(clean)};
  EXPECT_EQ(kinds_section(runs).empty(), runs.front().summary.counts.known == 0);
}

}  // namespace
}  // namespace upcast::reports
