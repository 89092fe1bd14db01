// Tests of `.cases` files: lines, comments, sets of dtypes, and the places that faults name.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cases/notation.h"
#include "cases/testing/usage_error.h"

namespace upcast {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const Case& c : parse_cases(text, "t.cases")) lines.push_back(print_case(c));
  return lines;
}

std::string fault_of(std::string_view text) {
  return usage_error_of([text] { parse_cases(text, "t.cases"); });
}

TEST(CaseFile, SkipsCommentsAndBlankLines) {
  EXPECT_EQ(lines_of("# title\n\nneg(int8[1])  # why\r\n   \nneg(int16[1])"),
            (std::vector<std::string>{"neg(int8[1])", "neg(int16[1])"}));
}

TEST(CaseFile, SeveralSetsMakeTheProductLastOneFastest) {
  EXPECT_EQ(lines_of("add({int8,i16}[2], {f32, f64}[]) @default={float64}\n"),
            (std::vector<std::string>{"add.Tensor(int8[2], float32[]) @default=float64",
                                      "add.Tensor(int8[2], float64[]) @default=float64",
                                      "add.Tensor(int16[2], float32[]) @default=float64",
                                      "add.Tensor(int16[2], float64[]) @default=float64"}));
}

TEST(CaseFile, ASetInTheExpectationPairsWithTheOnlyOther) {
  EXPECT_EQ(lines_of("abs({complex64,complex128}[2]{1,2}) -> {float32,float64}[2]{1,2}"),
            (std::vector<std::string>{"abs(complex64[2]{1+0j,2+0j}) -> float32[2]{1,2}",
                                      "abs(complex128[2]{1+0j,2+0j}) -> float64[2]{1,2}"}));
}

TEST(CaseFile, AValueListIsNoSet) {
  EXPECT_EQ(lines_of("neg(int8[2]{1,2})"), std::vector<std::string>{"neg(int8[2]{1,2})"});
  EXPECT_EQ(lines_of("neg(int8[2]:strides(2){1,2})"),
            std::vector<std::string>{"neg(int8[2]:strides(2){1,2})"});
}

TEST(CaseFile, AHashInTextIsNoComment) {
  EXPECT_EQ(lines_of("div(int8[1], 1, rounding_mode=\"#\")"),
            std::vector<std::string>{"div.Tensor_mode(int8[1], 1, rounding_mode=\"#\")"});
}

TEST(CaseFile, FaultsNameFileLineAndColumn) {
  EXPECT_EQ(fault_of("neg(int8[1])\n\n  neg(int33[1])\n").substr(0, 40),
            "t.cases:3:7: unknown dtype 'int33'; did ");
}

TEST(CaseFile, FaultsAfterASetNameTheColumnAsWritten) {
  EXPECT_EQ(fault_of("add({int8,int16}[2], int33[2])").substr(0, 30),
            "t.cases:1:22: unknown dtype 'i");
  EXPECT_EQ(fault_of("add({int8,int33}[2], int8[2])").substr(0, 36),
            "t.cases:1:11: unknown dtype 'int33';");
}

TEST(CaseFile, BadSetsAreFaults) {
  EXPECT_EQ(fault_of("neg({}[1])"), "t.cases:1:6: expected a dtype in this set, found '}'");
  EXPECT_EQ(fault_of("neg({int8,int16[1])"),
            "t.cases:1:16: expected '}' after a set of dtypes, found '['");
  EXPECT_EQ(
      fault_of("neg({int8,int16}[1]) -> {int8,int16,int32}[1]"),
      "t.cases:1:25: a set in the expectation needs exactly one other set of the same length");
  EXPECT_EQ(fault_of("neg(int8[1]) -> {int8,int16}[1]").substr(0, 40),
            "t.cases:1:17: a set in the expectation n");
}

TEST(CaseFile, AFileWithoutACaseIsAFault) {
  EXPECT_EQ(fault_of("# nothing\n\n"),
            "t.cases: holds no case; a case is a line such as add(int32[3], 5.5)");
  EXPECT_EQ(fault_of(""), "t.cases: holds no case; a case is a line such as add(int32[3], 5.5)");
}

TEST(CaseFile, AFileThatCannotBeReadIsAFault) {
  EXPECT_THROW(load_cases("/nonexistent.cases"), UsageError);
  EXPECT_THROW(load_cases(testing::TempDir()), UsageError) << "a folder";
}

TEST(CaseFile, LoadsAFile) {
  const std::string path = testing::TempDir() + "case_file_test.cases";
  std::ofstream(path) << "neg({int8,int16}[1])\n";
  EXPECT_EQ(load_cases(path).size(), 2U);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace upcast
