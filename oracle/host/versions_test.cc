#include "oracle/host/versions.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

TEST(Versions, MachineIsNamed) {
  for (const char* key : {"compiler", "cpu", "os"}) {
    EXPECT_FALSE(machine_versions().at(key).empty()) << key;
  }
  EXPECT_FALSE(upcast_version().empty());
}

}  // namespace
}  // namespace upcast
