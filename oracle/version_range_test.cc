#include "oracle/version_range.h"

#include <gtest/gtest.h>

#include "impl/core/error.h"

namespace upcast {
namespace {

TEST(VersionRange, HoldsItsVersions) {
  EXPECT_TRUE(version_in_range("2.15.0", ">=2.15,<2.16"));
  EXPECT_TRUE(version_in_range("2.15.0+cu132", ">=2.15, <2.16"));
  EXPECT_TRUE(version_in_range("2.15", "==2.15.0"));
  EXPECT_TRUE(version_in_range("2.15.3", "!=2.15.2"));
  EXPECT_TRUE(version_in_range("2.15.0", ">2.9"));
  EXPECT_TRUE(version_in_range("2.15.0", "<=2.15"));
  EXPECT_TRUE(version_in_range("2.15.0", ""));
}

TEST(VersionRange, ExcludesOthers) {
  EXPECT_FALSE(version_in_range("2.16.0", ">=2.15,<2.16"));
  EXPECT_FALSE(version_in_range("2.9.1", ">=2.15")) << "parts are numbers";
  EXPECT_FALSE(version_in_range("2.15.1", "<=2.15"));
  EXPECT_FALSE(version_in_range("", ">=2.15")) << "no version is in no range";
  EXPECT_FALSE(version_in_range("2.15.0", ">=2.15,!=2.15"));
}

TEST(VersionRange, MalformedOneIsAUsageError) {
  for (const char* range : {"2.15", ">=", "~=2.15", ">=2.15;<2.16", "=2.15", "new"}) {
    EXPECT_THROW(version_in_range("2.15.0", range), UsageError) << range;
  }
}

}  // namespace
}  // namespace upcast
