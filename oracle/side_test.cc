#include "oracle/side.h"

#include <gtest/gtest.h>

#include "impl/core/error.h"
#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

TEST(Side, NamesAreCanonical) {
  for (const char* name : {"impl:cpu",
                           "impl:cpu?capability=baseline&threads=4",
                           "impl:meta",
                           "impl:cuda",
                           "impl:emulated",
                           "impl:emulated?device=cuda",
                           "libtorch:cpu",
                           "libtorch:meta",
                           "libtorch:cuda",
                           "libtorch:cpu?capability=native",
                           "libtorch:cpu?capability=avx2",
                           "libtorch@2.11.0:cpu",
                           "libtorch@2.7.1:cpu?capability=native",
                           "truth",
                           "plugin:/a b/lib=1.so",
                           "plugin:libmine.so?speed=fast&device=meta",
                           "process:python3 'my backend.py' --x=1?&y",
                           "python:numpy",
                           "python:torch==2.5.1?via=refs",
                           "python:array-api-strict",
                           "rulebook:all",
                           "table:numpy_2.4.6",
                           "planted?bug=lt-is-le",
                           "rulebook:nump?",
                           "plugin:libmine.so?log=",
                           "dying?SIGABRT=add(int8[2], alpha=2)",
                           "test:hang-until?/tmp/file",
                           "glibc"}) {
    EXPECT_EQ(to_string(parse_side(name)), name);
    EXPECT_EQ(parse_side(to_string(parse_side(name))), parse_side(name)) << name;
  }
  EXPECT_EQ(to_string(parse_side("libtorch:cpu?capability=default")), "libtorch:cpu");
  EXPECT_EQ(to_string(parse_side("python:jax?")), "python:jax");
}

TEST(Side, HasItsParts) {
  const Side native = parse_side("libtorch@2.11.0:cpu?capability=native");
  EXPECT_EQ(native.vendor, Vendor::kLibTorch);
  EXPECT_EQ(native.target, "cpu");
  EXPECT_EQ(native.version, "2.11.0");
  EXPECT_EQ(native.capability, "native");
  EXPECT_EQ(to_string(without_version(native)), "libtorch:cpu?capability=native");
  EXPECT_EQ(parse_side("libtorch:meta").capability, "default");
  EXPECT_EQ(parse_side("impl:cpu?capability=baseline").capability, "");

  const Side torch = parse_side("python:torch==2.5.1?via=refs&device=cpu");
  EXPECT_EQ(torch.vendor, Vendor::kPython);
  EXPECT_EQ(torch.target, "torch");
  EXPECT_EQ(torch.version, "2.5.1");
  EXPECT_EQ(torch.setting("via"), "refs");
  EXPECT_EQ(torch.setting("import"), "");
  EXPECT_EQ(settings_text(torch), "via=refs&device=cpu");

  EXPECT_EQ(parse_side("process:./a.out?x").target, "./a.out?x");
  EXPECT_EQ(parse_side("test:wrong?3").target, "test:wrong");
  EXPECT_EQ(parse_side("implicit").vendor, Vendor::kOther);
}

TEST(Side, KnowsWhereItComputes) {
  for (const char* name : {"libtorch:cuda", "impl:cuda", "libtorch@2.11.0:cuda",
                           "python:torch?device=cuda", "python:torch?device=cuda:1"})
    EXPECT_TRUE(parse_side(name).on_gpu) << name;
  for (const char* name : {"libtorch:cpu", "impl:emulated", "impl:emulated?device=cuda",
                           "libtorch:meta", "libtorch:cpu?capability=native", "process:x:cuda"})
    EXPECT_FALSE(parse_side(name).on_gpu) << name;
  EXPECT_EQ(parse_side("impl:emulated?device=cuda").device, Device::kCuda);
  EXPECT_EQ(parse_side("libtorch:meta").device, Device::kMeta);
  EXPECT_TRUE(sides_of("impl:cpu", "libtorch:cuda").on_gpu);
  EXPECT_TRUE(sides_of("impl:cuda", "libtorch:cpu").on_gpu);
  EXPECT_FALSE(sides_of("impl:cpu", "libtorch:cpu").on_gpu);
}

TEST(Side, KnowsWhetherItAnswersValues) {
  for (const char* name :
       {"impl:meta", "libtorch:meta", "libtorch@2.7.1:meta", "plugin:libmine.so?device=meta",
        "rulebook:jax", "table:all", "python:jax?via=eval_shape"})
    EXPECT_FALSE(parse_side(name).answers_values) << name;
  for (const char* name : {"impl:cpu", "libtorch:cuda", "truth", "python:jax", "plugin:x:meta"})
    EXPECT_TRUE(parse_side(name).answers_values) << name;
}

TEST(Side, HasTheBoundsOfItsClass) {
  const auto bounds = [](const char* name) { return parse_side(name).bounds; };
  for (const char* name : {"impl:cpu", "impl:cuda", "impl:emulated?device=cuda",
                           "planted?bug=lt-is-le", "dying?SIGABRT=a"})
    EXPECT_EQ(bounds(name), Implementation::kOurs) << name;
  for (const char* name : {"plugin:libmine.so", "process:./a.out", "python:jax",
                           "python:torch==2.5.1", "glibc", "planted:ulp"})
    EXPECT_EQ(bounds(name), Implementation::kForeign) << name;
  for (const char* name : {"libtorch:cpu", "libtorch@2.7.1:cpu", "libtorch:cuda"})
    EXPECT_EQ(bounds(name), Implementation::kLibTorch) << name;
  for (const char* name : {"libtorch:cpu?capability=native", "libtorch@2.7.1:cpu?capability=avx2"})
    EXPECT_EQ(bounds(name), Implementation::kLibTorchNative) << name;
  EXPECT_EQ(bounds("truth"), Implementation::kTruth);
}

TEST(Side, WrongNamesSayWhatToWrite) {
  const auto error_of = [](const char* name) { return usage_error_of([=] { parse_side(name); }); };
  EXPECT_EQ(error_of("libtorch:gpu"),
            "'libtorch:gpu' names no side: write libtorch:cpu, libtorch:meta, libtorch:cuda");
  for (const char* name : {"libtorch@", "libtorch@:cpu", "libtorch@2.11.0", "libtorch@../x:cpu"})
    EXPECT_NE(error_of(name).find("names no side: write"), std::string::npos) << error_of(name);
  EXPECT_EQ(error_of("impl:cpu?cap=1"),
            "'impl:cpu?cap=1' names no side: its settings are capability, numbers, threads");
  for (const char* name : {"libtorch:cpu?capability=sse9", "impl:cpu?threads=",
                           "impl:emulated?device=tpu", "impl:meta?threads=2", "truth?x=1"})
    EXPECT_NE(error_of(name).find("its settings are "), std::string::npos) << error_of(name);
  EXPECT_EQ(error_of("libtorch:cpu?capability=default&capability=native"),
            "'libtorch:cpu?capability=default&capability=native' names no side: give the setting "
            "capability once");
  EXPECT_EQ(to_string(parse_side("plugin:a.so?x=1&x=2")), "plugin:a.so?x=1&x=2");
  EXPECT_NE(error_of("plugin:a.so?fast").find("settings are KEY=VALUE"), std::string::npos);
  EXPECT_NE(error_of("plugin:").find("write plugin:build/libmine.so"), std::string::npos);
  EXPECT_NE(error_of("python:").find("write python:numpy"), std::string::npos);
  EXPECT_NE(error_of("process: ").find("write process:'python3 backend.py'"), std::string::npos);
  EXPECT_NE(error_of("process:a\nb").find("write process:"), std::string::npos);
  EXPECT_NE(error_of("mine?&fast").find("settings are KEY=VALUE"), std::string::npos);
  EXPECT_NE(error_of("plugin:a.so?=4").find("settings are KEY=VALUE"), std::string::npos);
}

}  // namespace
}  // namespace upcast
