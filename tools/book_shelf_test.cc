#include "tools/book_shelf.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/columns.h"

namespace upcast::tools {
namespace {

using reports::GridRow;

/// A rule book's answer to each case of a grid row, asked one by one, to compare with the shelf's.
std::vector<reports::AnswerByte> plane(const std::string& book, const GridRow& row) {
  const reports::BookShelf shelf = book_shelf();
  const auto at = std::find_if(shelf.books.begin(), shelf.books.end(),
                               [&book](const auto& each) { return each.name == book; });
  EXPECT_NE(at, shelf.books.end()) << book;
  const std::vector<std::string> planes = shelf.ask(row);
  EXPECT_EQ(planes.size(), shelf.books.size());
  const std::string& bytes = planes.at(static_cast<std::size_t>(at - shelf.books.begin()));
  return {bytes.begin(), bytes.end()};
}

GridRow row_of(const std::string& line, std::vector<std::string> a, std::vector<std::string> b) {
  GridRow row;
  row.count = static_cast<int64_t>(a.size() * b.size());
  row.line_template = line;
  row.axes = {std::move(a), std::move(b)};
  return row;
}

using Bytes = std::vector<reports::AnswerByte>;

reports::AnswerByte byte(DType dtype) { return reports::answer_byte(dtype); }
reports::AnswerByte weak(DType dtype) { return byte(dtype) | reports::kWeakBit; }

TEST(BookShelf, AnswersThePairsOfARowInItsOrder) {
  const GridRow row =
      row_of("add.Tensor({0}, {1})", {"int8[4]", "int64[]"}, {"uint8[4]", "float32[4]", "5.5"});
  using enum DType;
  EXPECT_EQ(plane("pytorch", row), (Bytes{byte(kInt16), byte(kFloat32), byte(kFloat32),
                                          byte(kUInt8), byte(kFloat32), byte(kFloat32)}));
  EXPECT_EQ(plane("nep50", row), (Bytes{byte(kInt16), byte(kFloat32), byte(kFloat64), byte(kInt64),
                                        byte(kFloat64), byte(kFloat64)}));
}

TEST(BookShelf, TellsWeakResultsRefusalsAndSilenceApart) {
  using enum DType;
  EXPECT_EQ(plane("jax-x64", row_of("add.Scalar({0}, {1})", {"int8[4]"}, {"2.5"})),
            Bytes{weak(kFloat64)});
  EXPECT_EQ(plane("jax-strict", row_of("add.Tensor({0}, {1})", {"int8[4]"}, {"int16[4]"})),
            Bytes{reports::kRefusalByte});
  EXPECT_EQ(plane("nep50", row_of("add.Tensor({0}, {1})", {"int8[4]"}, {"bfloat16[4]"})),
            Bytes{kNotRunByte});
}

TEST(BookShelf, FollowsFormDefaultDtypeAndAttribute) {
  using enum DType;
  EXPECT_EQ(
      plane("pytorch", row_of("div.Tensor({0}, {1}) @default=bfloat16", {"int8[4]"}, {"int8[4]"})),
      Bytes{byte(kBFloat16)});
  EXPECT_EQ(plane("pytorch", row_of("add_.Tensor({0}, {1})", {"int8[4]"}, {"float32[4]"})),
            Bytes{reports::kRefusalByte});
  EXPECT_EQ(plane("pytorch", row_of("div.Tensor_mode({0}, {1}, rounding_mode=\"floor\")",
                                    {"int8[4]"}, {"int8[4]"})),
            Bytes{byte(kInt8)});
}

TEST(BookShelf, HasNothingToSayToWhatIsNoPair) {
  const auto ask = book_shelf().ask;
  const std::vector<std::string> tokens{"int8[4]", "float32[]"};
  EXPECT_TRUE(ask(row_of("addcmul(float32[4], {0}, {1})", tokens, tokens)).empty());
  EXPECT_TRUE(ask(row_of("where.self({0}, {1}, int8[4])", {"bool[4]"}, tokens)).empty())
      << "the condition does not promote, so the pair is no question";
  EXPECT_FALSE(ask(row_of("where.self(bool[4], {0}, {1})", tokens, tokens)).empty()) << "control";
}

}  // namespace
}  // namespace upcast::tools
