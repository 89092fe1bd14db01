#include "oracle/libtorch_name.h"

#include <gtest/gtest.h>

#include "impl/core/error.h"

namespace upcast {
namespace {

TEST(LibTorchName, IsSplit) {
  const SideName other = split_side_name("libtorch@2.11.0:cpu?capability=native");
  EXPECT_EQ(other.version, "2.11.0");
  EXPECT_EQ(other.name, "libtorch:cpu?capability=native");
  EXPECT_EQ(split_side_name("libtorch@2.7.1:meta").name, "libtorch:meta");
}

TEST(LibTorchName, LeavesOtherSidesAsTheyAre) {
  for (const char* side : {"libtorch:cpu", "impl:cpu?threads=2", "python:torch==2.5.1"}) {
    EXPECT_EQ(split_side_name(side).version, "");
    EXPECT_EQ(split_side_name(side).name, side);
  }
}

TEST(LibTorchName, RefusesWhatNamesNoVersionOrNoDevice) {
  for (const char* side : {"libtorch@", "libtorch@:cpu", "libtorch@2.11.0", "libtorch@../x:cpu"})
    EXPECT_THROW(split_side_name(side), UsageError) << side;
}

}  // namespace
}  // namespace upcast
