// Tests that upcast sweep --paths reaches LibTorch's vector paths and its scalar ones.
#include <gtest/gtest.h>

#include "impl/core/capability.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

const std::string kNative = "libtorch:cpu?capability=native";

Json paths_of(const std::string& op, Words more) {
  const Json json = run_upcast(joined({"sweep", op, "--paths", "--json", "-"}, more)).json(0);
  EXPECT_EQ(json.value("reference", ""), kNative) << json;
  return json.value("paths", Json::object());
}

TEST(LibTorchPaths, StridedSigmoidIsTheScalarOne) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  // The inputs of this shard are float32 from 1.0 on.
  const Json paths =
      paths_of("sigmoid", {"--dtype", "float32", "--shard", "4065/16384", "--layout", "strided"});
  const Json &strided = paths[kNative + " strided"], &scalar = paths["libtorch:cpu"];
  EXPECT_EQ(strided["inputs"], 1 << 18);
  EXPECT_GT(strided["different"], 0);
  EXPECT_TRUE(includes(strided, {{"max_steps", scalar["max_steps"]}, {"first", scalar["first"]}}));
}

TEST(LibTorchPaths, SidesElsewhereAnswerAsTheirOwnProcessDoes) {
  const Json own = Json::parse(run_upcast({"run", "neg(int8[1])", "--json", "-"}).out);
  const std::string version =
      "libtorch@" + own.at("versions").at("libtorch").get<std::string>() + ":cpu";
  const std::string plugin =
      "plugin:" + std::string(UPCAST_BINARY_DIR) + "/plugins/libupcast_impl_plugin.so";
  const CommandResult result =
      run_upcast({"sweep", "logit", "--dtype", "float16", "--side", "libtorch:cpu", "--side",
                  version, "--side", "impl:cpu", "--side", plugin, "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json sides = Json::parse(result.out).at("sides");
  EXPECT_EQ(sides.at(version).at("inputs"), 65536);
  EXPECT_EQ(sides.at(version).at("max_ulp"), sides.at("libtorch:cpu").at("max_ulp"));
  EXPECT_EQ(sides.at(plugin).at("max_ulp"), sides.at("impl:cpu").at("max_ulp"));
  EXPECT_NE(sides.at(plugin).at("max_ulp"), sides.at(version).at("max_ulp")) << "a control";
}

TEST(LibTorchPaths, ErfOfFloat16HasAVectorPathOnly) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  const Json paths = paths_of("erf", {"--dtype", "float16", "--layout", "strided"});
  EXPECT_GT(paths["libtorch:cpu"]["different"], 1000);
  EXPECT_EQ(paths[kNative + " strided"]["different"], 0) << "strided rows are packed into vectors";
}

TEST(LibTorchPaths, NegationIsOne) {
  const Json paths = paths_of("neg", {"--dtype", "float16"});
  EXPECT_EQ(paths.size(), 1U) << "vectors against scalars, and nothing that costs as much again";
  for (const auto& [name, path] : paths.items()) EXPECT_EQ(path["different"], 0) << name;
}

}  // namespace
}  // namespace upcast::tools::testing
