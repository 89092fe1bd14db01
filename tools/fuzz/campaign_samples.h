// Keeps samples of a campaign's progress over time, for a curve in the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upcast::tools {

/// The progress of a campaign when it had run for `seconds`.
struct CampaignSample {
  double seconds = 0;
  std::int64_t cases = 0, features = 0, signatures = 0;
};

/// Samples over the whole campaign, however long it is. If they become more than kMost, every other
/// one is dropped.
class CampaignSamples {
 public:
  static constexpr std::size_t kMost = 240;

  /// Adds a sample, unless too little time has passed since the sample before.
  void offer(const CampaignSample& sample);
  /// Adds the last sample in any case. It replaces a sample of the same time.
  void end_with(const CampaignSample& sample);
  const std::vector<CampaignSample>& all() const { return samples_; }

 private:
  std::vector<CampaignSample> samples_;
  double apart_ = 0;  // seconds between two samples
};

}  // namespace upcast::tools
