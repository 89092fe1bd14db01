// Tests that the log writes a signature once, whichever process finds it. Two checks of one case
// are written both.
#include "fuzz/finding_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/engine_exit.h"
#include "fuzz/finding_command.h"
#include "impl/core/temporary_folder.h"

namespace upcast::fuzz {
namespace {

using Json = nlohmann::json;

class FindingLogTest : public ::testing::Test {
 protected:
  static void add(FindingLog& log, const std::string& signature) {
    FindingRow row;
    row.signature = signature;
    log.add(row, signature);
  }
  std::string file() const { return folder_ / kFindingsFile; }
  std::vector<std::string> signatures() const {
    std::vector<std::string> found;
    std::ifstream lines(file());
    for (std::string line; std::getline(lines, line);) {
      const Json row = Json::parse(line, nullptr, false);
      found.push_back(row.is_object() ? row.value("signature", "") : line);
    }
    return found;
  }

  TemporaryFolder folder_;
};

using Texts = std::vector<std::string>;

TEST_F(FindingLogTest, WhatAnotherProcessHasWrittenSinceIsNotNew) {
  FindingLog one("t", folder_.path()), other("t", folder_.path());
  add(one, "first");
  add(other, "first");
  add(other, "second");
  add(one, "second");
  add(one, "third");
  EXPECT_EQ(signatures(), (Texts{"first", "second", "third"}));
  EXPECT_EQ(one.progress.findings, 3);
}

TEST_F(FindingLogTest, ChecksDoNotHideOneAnother) {
  FindingLog log("t", folder_.path());
  add(log, "value add.Tensor(f16@dim,f16@dim) 0->inf");
  add(log, "strided value add.Tensor(f16@dim,f16@dim) 0->inf");
  EXPECT_EQ(signatures().size(), 2U);
}

TEST_F(FindingLogTest, ARowThatWasCutOffSpoilsItselfOnly) {
  std::ofstream(file()) << R"({"hash": 1, "sig)";
  FindingLog log("t", folder_.path());
  add(log, "first");
  EXPECT_EQ(signatures(), (Texts{R"({"hash": 1, "sig)", "first"}));
}

TEST_F(FindingLogTest, OfOneEssenceAreAFew) {
  FindingLog log("t", folder_.path());
  for (int i = 0; i < 9; ++i) {
    FindingRow row;
    row.signature = std::to_string(i);
    log.add(row, "essence");
  }
  EXPECT_EQ(signatures().size(), 4U);
}

TEST_F(FindingLogTest, OneThatCannotBeWrittenEndsTheEngine) {
  const auto add_to_a_full_file = [this] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    if (setrlimit(RLIMIT_FSIZE, &none) != 0) std::_Exit(1);
    FindingLog log("t", folder_.path());
    add(log, "first");
    std::_Exit(0);
  };
  EXPECT_EXIT(add_to_a_full_file(), ::testing::ExitedWithCode(kEngineMistake), "");
  EXPECT_TRUE(signatures().empty());
}

TEST(FindingCommand, IsOneOfTheShell) {
  EXPECT_EQ(run_command("round(f16, mode='x')", "impl:cpu", "libtorch:cpu?capability=native"),
            "upcast run 'round(f16, mode='\\''x'\\'')' --subject 'impl:cpu' --oracle "
            "'libtorch:cpu?capability=native'");
  const std::vector<std::uint8_t> input{0, 255, 16};
  EXPECT_EQ(replay_command("store", input), "fuzz-store-replay -hex=00ff10");
}

}  // namespace
}  // namespace upcast::fuzz
