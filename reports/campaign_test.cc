#include "reports/campaign.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "reports/testing/synthetic_input.h"

namespace upcast::reports {
namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

constexpr const char* kFields =
    R"("target": "chain", "seconds": 2, "cases": 10, "cases_per_second": 5, "features": 3, "known": 1)";

TEST(Campaign, HasCountsFindingsAndWhatWasTried) {
  const TemporaryFolder folder;
  const Campaign campaign = testing::synthetic_input({}, folder.path(), false).campaigns.front();
  EXPECT_EQ(campaign.target, "elementwise");
  EXPECT_EQ(campaign.known_by_id.at("zeta-nan"), 1200);
  ASSERT_EQ(campaign.findings.size(), 2u);
  EXPECT_EQ(campaign.findings[1].line, "sub.Tensor(int8[2], True)");
  EXPECT_EQ(campaign.missing_log, "");
  ASSERT_TRUE(campaign.has_coverage);
  EXPECT_EQ(campaign.triples.asked, 9100);
  EXPECT_EQ(campaign.combinations.at(0).gaps.at(0).missing.at(1), "float8_e5m2");
  EXPECT_EQ(campaign.combinations[0].gaps_left_out, 3);
  ASSERT_EQ(campaign.ops.size(), 3u);
  EXPECT_EQ(campaign.ops[2].op, "special_zeta");
  EXPECT_EQ(campaign.ops[2].counts.answered, 9);
  ASSERT_EQ(campaign.samples.size(), 4u);
  EXPECT_EQ(campaign.samples[1].cases, 900000);
  EXPECT_EQ(campaign.samples[3].findings, 2);
}

TEST(Campaign, ALogThatIsNotThereIsNamed) {
  const TemporaryFolder folder;
  write(folder / "c.json", std::string("{") + kFields +
                               R"(, "findings": 4, "log": "/nowhere/x.log", "coverage": null})");
  const Campaign campaign = load_campaign(folder / "c.json");
  EXPECT_EQ(campaign.signatures, 4);
  EXPECT_TRUE(campaign.findings.empty());
  EXPECT_EQ(campaign.missing_log, "x.log/findings.ndjson") << "no absolute path in the page";
  EXPECT_FALSE(campaign.has_coverage);
  EXPECT_TRUE(campaign.samples.empty()) << "of an earlier version, which kept none";
}

TEST(Campaign, HalfALineIsLeftOut) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "x.log");
  write(folder / "x.log/findings.ndjson", "{\"line\": \"a\"}\n{\"line\": \"b");
  write(folder / "c.json", std::string("{") + kFields + R"(, "findings": 2, "log": "x.log"})");
  EXPECT_EQ(load_campaign(folder / "c.json").findings.size(), 1u);
  write(folder / "x.log/findings.ndjson", "{\"line\": 5}\n");
  try {
    load_campaign(folder / "c.json");
    ADD_FAILURE() << "a number for a line";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("not the findings of upcast fuzz"), std::string::npos);
  }
}

TEST(Campaign, AFileOfAnotherKindIsTheUsersMistake) {
  const TemporaryFolder folder;
  EXPECT_THROW(load_campaign(folder / "missing.json"), UsageError);
  for (const char* text : {"", "[]", "{}", "{\"target\": 3}", "no json"}) {
    write(folder / "c.json", text);
    EXPECT_THROW(load_campaign(folder / "c.json"), UsageError) << text;
  }
}

}  // namespace
}  // namespace upcast::reports
