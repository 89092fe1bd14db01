#include "cases/rulebook_tables.h"

#include <gtest/gtest.h>

#include "cases/glob.h"
#include "cases/rulebook_pairs.h"
#include "cases/testing/usage_error.h"

namespace upcast {
namespace {

using rulebooks::Rank;

const char kSmall[] = R"({"name": "small", "framework": "f", "version": "1",
  "errors": {"!1": "no"}, "error_kinds": {"!1": "refused"},
  "tables": [
   {"name": "op.add.nd_0d", "op": "true_divide", "lhs": "nd", "rhs": "0d", "rows": "i8 f80", "cols": "bool f32*",
    "cells": ["f32* !1", "f80 f32#"]},
   {"name": "scalar", "op": "add", "operands": "scalar_tensor", "rows": "i8", "cols": "2**63 complex 1e40j -1",
    "cells": ["u64 c64 - n"]}]}
)";

RulebookTables small() { return parse_rulebook_tables(kSmall).at(0); }

TEST(RulebookTables, CellsAreQuestions) {
  const RulebookTables set = small();
  const CellQuestion cell = cell_question(set.tables[0], 0, 0);
  EXPECT_EQ(cell.op, "div") << "as PyTorch spells it";
  ASSERT_EQ(cell.operands.size(), 2U);
  EXPECT_EQ(cell.operands[0].dtype, DType::kInt8);
  EXPECT_EQ(cell.operands[1].rank, Rank::kZeroDim);
  EXPECT_EQ(cell.shown[1].text, "bool[]");
  EXPECT_FALSE(cell_question(set.tables[0], 1, 0).known) << "f80 is outside our dtype table";
}

TEST(RulebookTables, NumbersHaveKindAndValueAndStandOnTheirSide) {
  const RulebookTables set = small();
  const CellQuestion big = cell_question(set.tables[1], 0, 0);
  EXPECT_EQ(big.operands[0].rank, Rank::kNumber) << "the scalar is on the left";
  EXPECT_EQ(big.operands[0].dtype, DType::kInt64);
  EXPECT_EQ(big.operands[0].value, 0x1p63L);
  EXPECT_EQ(cell_question(set.tables[1], 0, 1).operands[0].dtype, DType::kComplex128);
  EXPECT_EQ(cell_question(set.tables[1], 0, 2).operands[0].value, 1e40L);
  EXPECT_EQ(cell_question(set.tables[1], 0, 3).operands[0].value, -1);
}

TEST(RulebookTables, CellsAreAnswers) {
  using Tag = TableAnswer::Tag;
  const RulebookTables set = small();
  const auto cell = [&set](int table, int row, int column) {
    return cell_answer(set, set.tables[table], row, column);
  };
  EXPECT_EQ(cell(0, 0, 0).dtype, DType::kFloat32);
  EXPECT_TRUE(cell(0, 0, 0).weak);
  EXPECT_EQ(cell(0, 0, 1).tag, Tag::kRefused);
  EXPECT_EQ(cell(0, 0, 1).why, "no");
  EXPECT_EQ(cell(0, 1, 0).tag, Tag::kOutside);
  EXPECT_EQ(cell(0, 1, 1).dtype, DType::kFloat32) << "# marks a wrong value of the right dtype";
  EXPECT_EQ(cell(1, 0, 2).tag, Tag::kNoKernel);
  EXPECT_EQ(cell(1, 0, 3).tag, Tag::kRefused);
}

TEST(RulebookTables, WhatIsBuiltInCanBeRead) {
  std::size_t cells = 0;
  for (const RulebookTables& set : rulebook_tables())
    for (const RulebookTable& table : set.tables) cells += table.rows.size() * table.columns.size();
  EXPECT_EQ(rulebook_tables().size(), 11U);
  EXPECT_GT(cells, 190'000U);
  EXPECT_THROW(find_rulebook_tables("jax_0.10.2_x46"), UsageError);
}

TEST(RulebookTables, ATableWithTooFewCellsIsRefused) {
  std::string text = kSmall;
  text.replace(text.find("f32* !1"), 7, "f32*");
  EXPECT_THROW(parse_rulebook_tables(text), UsageError);
}

TEST(RulebookPairs, SayWhichCellsTheyName) {
  DeclaredCells declared;
  declared.tables = {"op.*"};
  const RulebookTables set = small();
  EXPECT_TRUE(declared.names(set.tables[0], 0, 0));
  EXPECT_FALSE(declared.names(set.tables[1], 0, 0));
  declared.either = {"f80"};
  EXPECT_FALSE(declared.names(set.tables[0], 0, 0));
  EXPECT_TRUE(declared.names(set.tables[0], 1, 0));
  declared.neither = {"bool"};
  EXPECT_FALSE(declared.names(set.tables[0], 1, 0));
  EXPECT_TRUE(declared.names(set.tables[0], 1, 1));
  declared.diagonal = true;
  EXPECT_FALSE(declared.names(set.tables[0], 1, 1));
}

TEST(RulebookPairs, GlobsMatchAsAShellsDo) {
  EXPECT_TRUE(matches_glob("op.*.nd", "op.add.nd"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_FALSE(matches_glob("op.*.nd", "op.add.0d"));
  EXPECT_FALSE(matches_glob("op", "op.add"));
  EXPECT_TRUE(matches_glob("*.{add,sub}.{nd,0d}", "op.sub.0d"));
  EXPECT_FALSE(matches_glob("*.{add,sub}.{nd,0d}", "op.sub.1d"));
  EXPECT_TRUE(matches_glob("{a*,b}c", "axxc"));
  EXPECT_FALSE(matches_glob("{a*,b}c", "axx"));
  EXPECT_TRUE(matches_glob("mul{,_}", "mul"));
  EXPECT_FALSE(matches_glob("*.{add,sub}.{nd,0d}", "op.mul.0d"));
}

/// Matching a glob must take few steps. A matcher that backtracks would try every way to match, and
/// there are too many.
TEST(RulebookPairs, NoGlobTakesLong) {
  std::string stars, words;
  for (int i = 0; i < 60; ++i) stars += "a*", words += "{a,a}";
  const std::string text(60, 'a');
  EXPECT_TRUE(matches_glob(stars, text));
  EXPECT_FALSE(matches_glob(stars + "b", text));
  EXPECT_TRUE(matches_glob(words, text));
  EXPECT_FALSE(matches_glob(words + "b", text + "c"));
}

TEST(RulebookPairs, FaultsNameTheLine) {
  for (const auto& [text, said] : {
           std::pair{"[[pear]]\n", "pear"},
           std::pair{"[[pair]]\nbook = 'a'\n", "'table' is missing"},
           std::pair{"[[pair]]\nbok = 'a'\n", "bok"},
           std::pair{"[[declared]]\nid = 'x'\nbook = 'a'\ntable = 'b'\ntables = ['*']\n"
                     "answers = [['f32', 'f64']]\nclass = 'typo'\nreason = 'r'\n",
                     "an answer is"},
       }) {
    const std::string fault = usage_error_of([&] { parse_rulebook_pairs(text, "x.toml"); });
    EXPECT_NE(fault.find(said), std::string::npos) << fault;
    EXPECT_NE(fault.find("x.toml:"), std::string::npos) << fault;
  }
}

}  // namespace
}  // namespace upcast
