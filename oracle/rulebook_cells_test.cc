#include "oracle/rulebook_cells.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "impl/ops/catalogue.h"
#include "oracle/rulebook_question.h"

namespace upcast {
namespace {

using rulebooks::Rank;

/// The declared pair of a rule book and the library's table with this name.
ClaimedTable claimed(std::string_view book, std::string_view tables, std::string_view table) {
  const RulebookSelection selection =
      select_rulebooks("rulebook:" + std::string(book), "table:" + std::string(tables),
                       rulebook_pairs(), rulebook_tables());
  const auto found =
      std::find_if(selection.claimed.begin(), selection.claimed.end(),
                   [&](const ClaimedTable& each) { return each.table->name == table; });
  EXPECT_NE(found, selection.claimed.end()) << table;
  return *found;
}

std::int64_t cell_of(const RulebookTable& table, const std::string& row,
                     const std::string& column) {
  const auto at = [](const std::vector<std::string>& labels, const std::string& label) {
    return std::find(labels.begin(), labels.end(), label) - labels.begin();
  };
  return at(table.rows, row) * std::ssize(table.columns) + at(table.columns, column);
}

std::string& text_of(RulebookTable& table, std::int64_t cell) {
  const std::int64_t columns = std::ssize(table.columns);
  return table.cells[cell / columns][cell % columns];
}

VerdictCode verdict(const ClaimedTable& table, const std::string& row, const std::string& column,
                    const std::vector<DeclaredCells>& declared = rulebook_pairs().declared) {
  return judge_cell(table, declared, cell_of(*table.table, row, column)).verdict.code;
}

TEST(RulebookCells, AgreeOrAreDeclaredOrAreNotJudged) {
  const ClaimedTable table =
      claimed("paddle-document", "paddle_3.3.1_dygraph", "operator.add.nd_nd");
  EXPECT_EQ(verdict(table, "bf16", "f32"), VerdictCode::kAgree);
  EXPECT_EQ(verdict(table, "c64", "f64"), VerdictCode::kKnown) << "P1";
  EXPECT_EQ(verdict(table, "f16", "f16"), VerdictCode::kNotJudged) << "no kernel";
  EXPECT_EQ(verdict(table, "u64", "f32"), VerdictCode::kNotJudged) << "outside the document";
}

TEST(RulebookCells, ABrokenCellIsFound) {
  ClaimedTable table = claimed("numpy-legacy", "numpy_1.26.4_legacy", "ufunc.add.nd_nd");
  ASSERT_EQ(verdict(table, "i8", "u8"), VerdictCode::kAgree);
  RulebookTable broken = *table.table;
  table.table = &broken;
  std::string& text = text_of(broken, cell_of(broken, "i8", "u8"));
  text = "i32";
  EXPECT_EQ(verdict(table, "i8", "u8"), VerdictCode::kDifferDType);
  text = "!2";  // how the table writes a refusal
  EXPECT_EQ(verdict(table, "i8", "u8"), VerdictCode::kDifferAccepts);
}

TEST(RulebookCells, EachBrokenCellOfATableIsFound) {
  ClaimedTable table = claimed("jax-x64", "jax_0.10.2_x64", "op.add.nd_nd");
  RulebookTable broken = *table.table;
  table.table = &broken;
  int found = 0;
  int judged = 0;
  for (std::int64_t i = 0; i < table.cells(); ++i) {
    std::string& text = text_of(broken, i);
    const auto code = [&] { return judge_cell(table, {}, i).verdict.code; };
    if (code() == VerdictCode::kNotJudged) continue;
    ASSERT_EQ(code(), VerdictCode::kAgree);
    const std::string right = text;
    text = right == "bool" ? "u8" : "bool";
    found += code() == VerdictCode::kDifferDType || code() == VerdictCode::kDifferRefusal;
    text = right;
    ++judged;
  }
  EXPECT_GT(judged, 350);
  EXPECT_EQ(found, judged);
}

TEST(RulebookCells, ASilentBookIsTold) {
  ClaimedTable table = claimed("jax-x64", "jax_0.10.2_x64", "op.add.nd_nd");
  rulebooks::RuleBook silent = *table.book;
  silent.answer = [](const rulebooks::Question&) { return rulebooks::outside("says nothing"); };
  int cells = 0;
  for (std::int64_t i = 0; i < table.cells(); ++i) {
    table.book = &rulebooks::kJaxX64;
    const CellVerdict spoken = judge_cell(table, {}, i);
    EXPECT_FALSE(spoken.silent);
    table.book = &silent;
    const CellVerdict cell = judge_cell(table, {}, i);
    EXPECT_EQ(cell.verdict.code, VerdictCode::kNotJudged);
    EXPECT_EQ(cell.silent, spoken.verdict.code == VerdictCode::kAgree);
    cells += cell.silent;
  }
  EXPECT_GT(cells, 350);
}

TEST(RulebookCells, WeakAgainstStrongIsADifference) {
  ClaimedTable table = claimed("jax-x64", "jax_0.10.2_x64", "result_type");
  RulebookTable broken = *table.table;
  table.table = &broken;
  ASSERT_EQ(verdict(table, "u64", "i8"), VerdictCode::kAgree);
  std::string& text = text_of(broken, cell_of(broken, "u64", "i8"));
  ASSERT_EQ(text, "f64*");
  text = "f64";
  EXPECT_EQ(verdict(table, "u64", "i8"), VerdictCode::kDifferDType);
}

TEST(RulebookCells, ADeclarationExplainsItsOwnAnswersOnly) {
  const ClaimedTable table =
      claimed("paddle-document", "paddle_3.3.1_dygraph", "operator.add.nd_nd");
  std::vector<DeclaredCells> declared = rulebook_pairs().declared;
  ASSERT_EQ(declared.front().id, "P1");
  declared.front().answers = {{"c64", "f32", 1}};
  EXPECT_EQ(verdict(table, "c64", "f64", declared), VerdictCode::kDifferDType);
}

TEST(RulebookCells, EveryTableOfAPairIsClaimedOrLeftOutWithAReason) {
  const RulebookSelection all =
      select_rulebooks("rulebook:all", "table:all", rulebook_pairs(), rulebook_tables());
  std::size_t tables = 0;
  for (const RulebookPair& pair : rulebook_pairs().pairs)
    tables += find_rulebook_tables(pair.table).tables.size();
  EXPECT_EQ(all.claimed.size() + all.left_out.size(), tables);
  for (const auto& [table, reason] : all.left_out) EXPECT_FALSE(reason.empty());
  EXPECT_EQ(all.books.size(), rulebooks::kRuleBooks.size());
}

TEST(RulebookCells, EveryDeclarationIsOfAPairThatIsClaimed) {
  for (const DeclaredCells& entry : rulebook_pairs().declared)
    EXPECT_TRUE(std::any_of(rulebook_pairs().pairs.begin(), rulebook_pairs().pairs.end(),
                            [&](const RulebookPair& pair) {
                              return pair.book == entry.book && pair.table == entry.table;
                            }))
        << entry.id;
}

TEST(RulebookCells, ThePyTorchBookHasTheKindsOfTheCatalogue) {
  int compared = 0;
  for (const Op& op : catalogue()) {
    const auto* kind = rulebooks::pytorch::find_kind(op.spec->name);
    if (kind == nullptr || op.spec->promotion == PromotionKind::kOwn) continue;
    ++compared;
    EXPECT_EQ(info(kind->kind).name, info(op.spec->promotion).name) << op.spec->name;
  }
  EXPECT_GT(compared, 60);
}

TEST(RulebookQuestion, A3TheOverloadForANumberIsOneOfItsOwn) {
  // Claim A3 of docs/rulebooks.md is that add.Scalar is not registered with the dispatcher. It is
  // registered, and answers as + does.
  const CaseQuestion scalar = question_of(parse_case("add.Scalar(int8[3], 5)"));
  const CaseQuestion tensor = question_of(parse_case("add.Tensor(int8[3], 5)"));
  const rulebooks::Reply today = rulebooks::ask(rulebooks::kPyTorch, scalar.question());
  EXPECT_EQ(today.dtype, DType::kInt8);
  EXPECT_TRUE(today == rulebooks::ask(rulebooks::kPyTorch, tensor.question()));
  std::printf("A3  add.Scalar(int8[3], 5)  seed: no such overload  today: %s\n",
              answer_label(today).c_str());
}

TEST(RulebookQuestion, HasTheOperandsThatPromote) {
  const CaseQuestion asked = question_of(parse_case("add.Tensor(int8[3], float16[]{3}, alpha=2)"));
  EXPECT_EQ(asked.op, "add");
  ASSERT_EQ(asked.operands.size(), 2U);
  EXPECT_EQ(asked.operands[0].rank, Rank::kDim);
  EXPECT_EQ(asked.operands[1].rank, Rank::kZeroDim);
  EXPECT_EQ(asked.operands[1].value, 3);
  EXPECT_EQ(question_of(parse_case("where(bool[3], int8[3], 2.5)")).operands.size(), 2U);
}

TEST(RulebookQuestion, HasFormModeAndValue) {
  EXPECT_EQ(question_of(parse_case("div_.Tensor(float32[3], 2)")).form, rulebooks::Form::kInPlace);
  EXPECT_EQ(
      question_of(parse_case("div.Tensor_mode(int8[3], int8[3], rounding_mode=\"trunc\")")).op,
      "div_trunc");
  const CaseQuestion asked = question_of(parse_case("add(int8[3], 300) @default=float64"));
  EXPECT_EQ(asked.default_dtype, DType::kFloat64);
  EXPECT_EQ(asked.operands.at(1).rank, Rank::kNumber);
  EXPECT_EQ(asked.operands.at(1).value, 300);
  EXPECT_EQ(asked.operands.at(1).dtype, DType::kInt64);
}

}  // namespace
}  // namespace upcast
