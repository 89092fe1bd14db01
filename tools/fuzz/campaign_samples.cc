#include "tools/fuzz/campaign_samples.h"

#include <utility>

namespace upcast::tools {

void CampaignSamples::offer(const CampaignSample& sample) {
  if (!samples_.empty() && sample.seconds - samples_.back().seconds < apart_) return;
  samples_.push_back(sample);
  if (samples_.size() < kMost) return;
  const double seconds = samples_.back().seconds;
  std::vector<CampaignSample> kept;
  for (std::size_t i = 1; i < samples_.size(); i += 2) kept.push_back(samples_[i]);
  samples_ = std::move(kept);
  apart_ = seconds / static_cast<double>(samples_.size());
}

void CampaignSamples::end_with(const CampaignSample& sample) {
  if (!samples_.empty() && samples_.back().seconds >= sample.seconds) samples_.pop_back();
  samples_.push_back(sample);
}

}  // namespace upcast::tools
