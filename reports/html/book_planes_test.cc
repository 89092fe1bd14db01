#include "reports/html/book_planes.h"

#include <gtest/gtest.h>

#include <set>

#include "impl/core/temporary_folder.h"
#include "reports/html/planes.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_plan;
using testing::synthetic_rulebooks_plan;
using testing::SyntheticOptions;

const SyntheticOptions kSmall{.binary_ops = 2, .unary_ops = 1, .ternary_ops = 1, .dtypes = 3};

RunData folded(const RunPlan& plan) {
  const TemporaryFolder folder;
  testing::write_synthetic_store(folder / "run.db", plan, kSmall);
  const RunStore store = RunStore::open(folder / "run.db");
  return fold_run({&store});
}

/// A shelf with two books: one never answers, and the answers of the other depend on the default
/// dtype alone.
BookShelf shelf_of_two(std::vector<GridRow>& asked) {
  return {.books = {{"silent", "Nobody", "1"}, {"plain", "Somebody", "2"}},
          .ask = [&asked](const GridRow& row) -> std::vector<std::string> {
            asked.push_back(row);
            const auto size = static_cast<std::size_t>(row.count);
            const char answer = row.default_dtype == "float64" ? 2 : 1;
            return {std::string(size, static_cast<char>(kNotRunByte)), std::string(size, answer)};
          }};
}

TEST(BookPlanes, AskPairsOnlyAndKeepEachPlaneOnce) {
  std::vector<GridRow> asked;
  const BookShelf shelf = shelf_of_two(asked);
  BookPlanes planes(shelf);
  const RunData data = folded(synthetic_plan(kSmall));
  EXPECT_TRUE(planes.add(data).is_string());
  ASSERT_EQ(asked.size(), 2u * 2 * 4) << "two binary ops, two forms, four default dtypes";
  std::set<std::string> forms;
  for (const GridRow& row : asked) {
    EXPECT_EQ(row.axes.size(), 2u) << row.line_template;
    EXPECT_EQ(row.count, static_cast<int64_t>(row.axes[0].size() * row.axes[1].size()));
    forms.insert(row.form);
  }
  EXPECT_EQ(forms, (std::set<std::string>{"functional", "in_place"}));
  const nlohmann::ordered_json books = planes.finish();
  ASSERT_EQ(books.size(), 2u);
  const auto size = static_cast<std::size_t>(asked.front().count);
  EXPECT_EQ(books[0], (nlohmann::ordered_json{{"name", "silent"},
                                              {"title", "Nobody"},
                                              {"version", "1"},
                                              {"planes", base64(deflated(""))}}));
  EXPECT_EQ(books[1]["planes"], base64(deflated(std::string(size, 1) + std::string(size, 2))))
      << "sixteen rows, two different planes";
}

TEST(BookPlanes, SameRunGivesSameBytes) {
  std::vector<GridRow> asked;
  const BookShelf shelf = shelf_of_two(asked);
  const RunData data = folded(synthetic_plan(kSmall));
  BookPlanes once(shelf), again(shelf);
  EXPECT_EQ(once.add(data), again.add(data));
  EXPECT_EQ(once.finish(), again.finish());
  EXPECT_EQ(once.add(data), again.add(data)) << "a second run adds no plane";
  EXPECT_EQ(once.finish(), again.finish());
}

TEST(BookPlanes, NothingWithoutBooksOrOfCellsThatAreNoCalls) {
  const BookShelf none;
  BookPlanes empty(none);
  EXPECT_TRUE(empty.add(folded(synthetic_plan(kSmall))).is_null());
  EXPECT_TRUE(empty.finish().is_null());
  std::vector<GridRow> asked;
  const BookShelf shelf = shelf_of_two(asked);
  BookPlanes planes(shelf);
  EXPECT_TRUE(planes.add(folded(synthetic_rulebooks_plan())).is_null());
  EXPECT_TRUE(asked.empty());
}

}  // namespace
}  // namespace upcast::reports
