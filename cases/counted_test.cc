#include "cases/counted.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

TEST(Counted, OneIsNoPlural) {
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(0, "case"), "0 cases");
  EXPECT_EQ(counted(2, "case"), "2 cases");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(12345, "entry", "entries"), "12,345 entries");
  EXPECT_EQ(counted(1, "kind of difference", "kinds of difference"), "1 kind of difference");
}

TEST(Grouped, ByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(15234112), "15,234,112");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

}  // namespace
}  // namespace upcast
