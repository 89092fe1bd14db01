#include "reports/rulebook_fold.h"

#include <gtest/gtest.h>

#include "impl/core/temporary_folder.h"

namespace upcast::reports {
namespace {

constexpr AnswerByte kInt = answer_byte(DType::kInt8);
constexpr AnswerByte kFloat = answer_byte(DType::kFloat32);
constexpr AnswerByte kNo = answer_byte(RejectionCode::kPromotion);
constexpr AnswerByte kOtherNo = answer_byte(RejectionCode::kUnsupportedDType);

/// A plan of two kinds of rows: a table of six cells, and the answers of two systems to one
/// question of four cells.
RunPlan small_plan() {
  RunPlan plan;
  plan.upcast_version = "0";
  plan.subject = "rulebook:all";
  plan.oracle = "table:all";
  plan.source = "grid rulebooks";
  plan.planned = 14;
  plan.block_size = 5;  // so small that rows extend over several blocks
  plan.judges_values = false;
  const std::vector<std::vector<std::string>> labels{{"i8", "f32"}, {"i8", "f32", "f80"}};
  const std::vector<std::vector<std::string>> operands{{"int8[2]", "float32[2]"}, {"True", "1.5"}};
  plan.rows = {{0, "b", pair_family("b", "t"), "op.add", "functional", "float32", 0, 6,
                "b | {0} | {1}", labels},
               {1, "one", std::string(kComparedFamily), "add", "functional", "float32", 6, 4,
                "add({0}, {1})", operands},
               {2, "two", std::string(kComparedFamily), "add", "functional", "float32", 10, 4,
                "add({0}, {1})", operands}};
  return plan;
}

RulebookFold small_fold(const std::string& path) {
  const std::vector<VerdictCode> verdict{VerdictCode::kAgree,     VerdictCode::kNotJudged,
                                         VerdictCode::kNotJudged, VerdictCode::kDifferDType,
                                         VerdictCode::kNotJudged, VerdictCode::kAgree};
  const std::vector<AnswerByte> oracle{kInt, kInt, kNotRunByte, kInt, kNotRunByte, kInt};
  const std::vector<AnswerByte> subject{kInt, kNotRunByte, kFloat,   kFloat,     kNotRunByte,
                                        kInt, kInt,        kFloat,   kNo,        kFloat,
                                        kInt, kInt,        kOtherNo, kNotRunByte};
  RunStore store = RunStore::create_or_resume(path, small_plan());
  for (const int64_t id : store.blocks_pending()) {
    BlockResult block;
    block.id = id;
    block.first = id * 5;
    block.count = std::min<int64_t>(5, 14 - block.first);
    for (int64_t i = block.first; i < block.first + block.count; ++i) {
      const auto at = static_cast<size_t>(i);
      block.verdict.push_back(at < verdict.size() ? verdict[at] : VerdictCode::kNotJudged);
      block.known.push_back(0);
      block.subject.push_back(subject[at]);
      block.oracle.push_back(at < oracle.size() ? oracle[at] : kNotRunByte);
    }
    store.add_block(block);
  }
  store.finish(1);
  return fold_rulebooks({&store});
}

TEST(RulebookFold, CountsWhatBecameOfEachPairsCells) {
  const TemporaryFolder folder;
  const RulebookFold fold = small_fold(folder / "run.db");
  ASSERT_EQ(fold.pairs.size(), 1U);
  EXPECT_EQ(fold.pairs[0].book, "b");
  EXPECT_EQ(fold.pairs[0].table, "t");
  EXPECT_EQ(fold.pairs[0].cells, 6);
  EXPECT_EQ(fold.pairs[0].agree, 2);
  EXPECT_EQ(fold.pairs[0].silent, 1) << "the library answered, the book said nothing";
  EXPECT_EQ(fold.pairs[0].outside, 1) << "neither could";
  EXPECT_EQ(fold.pairs[0].no_kernel, 1) << "the library said nothing";
  EXPECT_EQ(fold.pairs[0].unexplained, 1);
}

TEST(RulebookFold, ComparesSystemsWhereBothSaySomething) {
  const TemporaryFolder folder;
  const RulebookFold fold = small_fold(folder / "run.db");
  ASSERT_EQ(fold.systems.size(), 2U);
  ASSERT_EQ(fold.questions.size(), 1U);
  EXPECT_EQ(fold.questions[0].text, "add(a[2], number)");
  const Agreement found = compare_systems(fold.systems[0], fold.systems[1]);
  EXPECT_EQ(found.both, 3) << "the fourth is outside for one of them";
  EXPECT_EQ(found.alike, 2) << "one dtype, and two refusals of different codes";
  EXPECT_TRUE(answer_alike(kNo, kOtherNo));
  EXPECT_FALSE(answer_alike(kNo, kInt));
  EXPECT_NE(rulebook_markdown(fold).find("| one | 100 | 67 |"), std::string::npos)
      << rulebook_markdown(fold);
}

TEST(RulebookFold, IsEmptyForAnotherGrid) {
  const TemporaryFolder folder;
  RunPlan plan = small_plan();
  plan.source = "grid smoke";
  const RunStore store = RunStore::create_or_resume(folder / "other.db", plan);
  EXPECT_TRUE(fold_rulebooks({&store}).empty());
}

}  // namespace
}  // namespace upcast::reports
