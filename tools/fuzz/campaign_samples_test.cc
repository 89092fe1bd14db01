#include "tools/fuzz/campaign_samples.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace upcast::tools {
namespace {

TEST(CampaignSamples, StayFewAndEvenHoweverLongTheCampaign) {
  CampaignSamples samples;
  for (int second = 1; second <= 20'000; ++second) {
    samples.offer({.seconds = static_cast<double>(second), .cases = 10 * second});
    ASSERT_LT(samples.all().size(), CampaignSamples::kMost);
  }
  samples.end_with({.seconds = 20'000.5, .cases = 200'005});
  ASSERT_GT(samples.all().size(), CampaignSamples::kMost / 2 - 1);
  EXPECT_EQ(samples.all().back().cases, 200'005);
  double longest = 0;
  for (std::size_t i = 1; i < samples.all().size(); ++i) {
    const double apart = samples.all()[i].seconds - samples.all()[i - 1].seconds;
    ASSERT_GT(apart, 0);
    longest = std::max(longest, apart);
  }
  EXPECT_LE(longest, 2 * 20'000.0 / (CampaignSamples::kMost / 2.0));
}

TEST(CampaignSamples, TheEndIsThereOnce) {
  CampaignSamples samples;
  samples.end_with({.seconds = 0.3, .cases = 7});
  samples.end_with({.seconds = 0.3, .cases = 8});
  ASSERT_EQ(samples.all().size(), 1u);
  EXPECT_EQ(samples.all()[0].cases, 8);
}

}  // namespace
}  // namespace upcast::tools
