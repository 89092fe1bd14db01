// Samples of a campaign's sums over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upcast::tools {

/// The progress of the campaign after some seconds.
struct CampaignSample {
  double seconds = 0;
  std::int64_t cases = 0, features = 0, signatures = 0;
};

/// Samples of the whole campaign, however long: where they become too many, every other one goes.
class CampaignSamples {
 public:
  static constexpr std::size_t kMost = 240;

  /// Takes it, or leaves it out where too little time has passed since the one before.
  void offer(const CampaignSample& sample);
  /// Takes it in any case, in place of one of the same time.
  void end_with(const CampaignSample& sample);
  const std::vector<CampaignSample>& all() const { return samples_; }

 private:
  std::vector<CampaignSample> samples_;
  double apart_ = 0;  // seconds
};

}  // namespace upcast::tools
