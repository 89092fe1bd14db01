#include "tools/progress.h"

#include <gtest/gtest.h>

namespace upcast::tools {
namespace {

/// The progress of a run that gives the longest line: the grid full, after hours, with every case
/// wrong.
ProgressState widest_run() {
  return {.what = "case",
          .done = 15'640'000,
          .total = 15'640'000,
          .seconds = 36000,
          .rate = 999'999,
          .more = {"15,640,000 unexplained"},
          .has_bar = true};
}

ProgressState widest_campaign() {
  return {.what = "case",
          .done = 99'999'999'999,
          .total = 0,
          .seconds = 359'999,
          .rate = 9'999'999,
          .more = {"999,999 features", "99,999 findings", "9,999,999,999 known"}};
}

bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

TEST(ProgressLine, FitsEveryWidth) {
  for (const ProgressState& state : {widest_run(), widest_campaign()})
    for (int width = 0; width <= 200; ++width)
      EXPECT_LE(static_cast<int>(progress_line(state, width).size()), width);
}

TEST(ProgressLine, OfAWidestRunKeepsWhatMattersIn80Columns) {
  for (const int width : {80 - 1, 80 - 8}) {  // the widths on a terminal, and after "upcast: "
    const std::string line = progress_line(widest_run(), width);
    for (const char* part : {"100%", "left", "15,640,000 unexplained"})
      EXPECT_TRUE(holds(line, part)) << line;
  }
  EXPECT_TRUE(holds(progress_line(widest_run(), 79), "15,640,000 of 15,640,000 cases"));
}

TEST(ProgressLine, OfAWidestCampaignKeepsWhatMattersIn80Columns) {
  const std::string line = progress_line(widest_campaign(), 79);
  for (const char* part : {"99:59:59", "99,999,999,999 cases", "99,999 findings"})
    EXPECT_TRUE(holds(line, part)) << line;
}

TEST(ProgressLine, HasEverythingWhereThereIsRoom) {  // a control: 200 columns
  const std::string line = progress_line(widest_run(), 200);
  EXPECT_EQ(line,
            "[========================]  100%  15,640,000 of 15,640,000 cases  999,999/s  "
            "0:00 left  15,640,000 unexplained");
  ProgressState few{
      .what = "case", .done = 1, .total = 4, .seconds = 1, .rate = 1, .more = {}, .has_bar = true};
  EXPECT_EQ(progress_line(few, 79),
            "[======                  ]  25%  1 of 4 cases  1/s  0:03 left");
}

TEST(ProgressLine, LeavesOutTheLeastFirst) {
  const ProgressState state = widest_run();
  EXPECT_FALSE(holds(progress_line(state, 100), "["));
  EXPECT_TRUE(holds(progress_line(state, 100), "/s"));
  EXPECT_FALSE(holds(progress_line(state, 76), "/s"));
  EXPECT_EQ(progress_line(state, 12), "100%");
}

}  // namespace
}  // namespace upcast::tools
