#include "oracle/plugin/plugin_library.h"

#include <gtest/gtest.h>

#include <fstream>

#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

std::string broken(const std::string& deed) {
  return UPCAST_BINARY_DIR "/plugins/libbroken_" + deed + ".so";
}

/// Loads a plug-in's file. Returns the message that refuses it; "" if it loads.
std::string fault_of(const std::string& file) {
  return usage_error_of([&] { PluginLibrary(parse_side("plugin:" + file)); });
}

TEST(PluginSettings, AreAllButTheDeviceThatIsTheHostsOwn) {
  EXPECT_EQ(plugin_settings(parse_side("plugin:/a/b.so")), "{}");
  EXPECT_EQ(plugin_settings(parse_side("plugin:b.so?threads=4&device=meta&mode=a=b")),
            R"({"mode":"a=b","threads":"4"})");
  EXPECT_EQ(plugin_settings(parse_side("plugin:b.so?device=gpu")), R"({"device":"gpu"})");
}

TEST(PluginLibrary, OfOneThatIsRightIsDescribed) {
  const PluginLibrary library(parse_side("plugin:" + broken("none")));
  EXPECT_EQ(library.manifest().name(), "tiny");
  EXPECT_EQ(library.functions().infer, nullptr);
}

TEST(PluginLibrary, ThatIsNoLibraryIsTold) {
  const std::string text = testing::TempDir() + "no_library.so";
  std::ofstream(text) << "not a library";
  EXPECT_NE(fault_of(text).find("cannot be loaded"), std::string::npos);
  EXPECT_NE(fault_of("/no/such.so").find("is not there"), std::string::npos);
}

TEST(PluginLibrary, UnknownSettingsAreTold) {
  EXPECT_NE(fault_of(broken("none") + "?threads=4").find("takes no settings"), std::string::npos);
  EXPECT_NE(fault_of(broken("none") + "?device=meta").find("has no infer()"), std::string::npos);
}

struct Wrong {
  const char* deed;
  const char* says;
};
class PluginLibraryFault : public testing::TestWithParam<Wrong> {};

TEST_P(PluginLibraryFault, IsOneLineThatSaysWhat) {
  const std::string fault = fault_of(broken(GetParam().deed));
  EXPECT_NE(fault.find(GetParam().says), std::string::npos) << fault;
  EXPECT_EQ(fault.find('\n'), std::string::npos) << fault;
}

INSTANTIATE_TEST_SUITE_P(Controls, PluginLibraryFault,
                         testing::Values(Wrong{"no_symbol", "has no function upcast_plugin"},
                                         Wrong{"wrong_abi", "has ABI 2, this upcast has 1"},
                                         Wrong{"no_size", "has a size of 0"},
                                         Wrong{"short_struct", "has a size of 16"},
                                         Wrong{"no_run", "no run()"},
                                         Wrong{"null_plugin", "returned null"},
                                         Wrong{"null_manifest", "describe() returned null"},
                                         Wrong{"wrong_manifest", "\"version\" must be a text"},
                                         Wrong{"cuda_alone", "copy them to the GPU and back"},
                                         Wrong{"no_json", "not a JSON object"}),
                         [](const auto& wrong) { return wrong.param.deed; });

}  // namespace
}  // namespace upcast
