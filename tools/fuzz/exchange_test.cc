#include "tools/fuzz/exchange.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

std::string name_of(char digit) { return std::string(40, digit); }

/// The folders of three engines of a campaign, and a folder that other campaigns share.
class Exchanged : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = ::testing::TempDir() + "upcast-exchange-" + test;
    fs::remove_all(root_);
    for (const char* job : {"/one", "/two", "/three"}) {
      jobs_.push_back(root_ + job);
      fs::create_directories(jobs_.back());
    }
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(std::size_t job, const std::string& name, const std::string& text) const {
    std::ofstream(jobs_[job] + "/" + name) << text;
  }
  std::string text_of(std::size_t job, const std::string& name) const {
    std::ifstream file(jobs_[job] + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool has(std::size_t job, const std::string& name) const {
    return fs::exists(jobs_[job] + "/" + name);
  }

  std::string root_;
  std::vector<std::string> jobs_;
};

TEST_F(Exchanged, EnginesOfOneCampaignGetEachOthersInputs) {
  Exchange exchange("");
  write(0, name_of('a'), "first");
  write(2, name_of('b'), "second");
  write(1, "seed-1", "every corpus has it");
  exchange.step(jobs_, root_);
  for (const std::size_t job : {0, 1, 2}) {
    EXPECT_EQ(text_of(job, name_of('a')), "first") << job;
    EXPECT_EQ(text_of(job, name_of('b')), "second") << job;
    EXPECT_EQ(has(job, "seed-1"), job == 1);
  }
}

/// If a campaign removes an input that killed an engine from all engines' folders, no exchange
/// brings it back.
TEST_F(Exchanged, WhatWasTakenOutDoesNotComeBack) {
  Exchange exchange(root_ + "/all");
  write(0, name_of('a'), "deadly");
  exchange.step(jobs_, root_);
  for (const std::string& job : jobs_) fs::remove(job + "/" + name_of('a'));
  exchange.step(jobs_, root_);
  for (const std::size_t job : {0, 1, 2}) EXPECT_FALSE(has(job, name_of('a'))) << job;
}

TEST_F(Exchanged, OtherCampaignsGetThemToo) {
  Exchange mine(root_ + "/all");
  write(1, name_of('c'), "mine");
  mine.step({jobs_[0], jobs_[1]}, root_);
  Exchange other(root_ + "/all");
  other.step({jobs_[2]}, root_);
  EXPECT_EQ(text_of(2, name_of('c')), "mine");
  EXPECT_EQ(text_of(0, name_of('c')), "mine");
}

}  // namespace
}  // namespace upcast::tools
