#include "reports/coverage.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "impl/core/error.h"

namespace upcast::reports {

std::string cut_percent(double share) {
  if (share >= 1) return "100 %";
  if (share > 0 && share < 1e-4) return "under 0.01 %";
  return fmt::format("{:.2f} %", std::floor(share * 1e4) / 100);
}

std::string Coverage::words() const {
  const auto of = [](int64_t part, int64_t all) {
    return part == all ? grouped(all)
                       : fmt::format("{} claimed and {} in all", grouped(part), grouped(all));
  };
  return fmt::format("{} judged of {} ({}); {} answered of {}", counted(judged, "case"),
                     of(claimed.cases, whole.cases), cut_percent(share), counted(answered, "op"),
                     of(claimed.ops, whole.ops));
}

std::string Coverage::outside_words() const {
  if (!has_outside()) return "";
  return fmt::format("outside of its manifest: {} of {} cases, {} of {} ops",
                     grouped(whole.cases - claimed.cases), grouped(whole.cases),
                     grouped(whole.ops - claimed.ops), grouped(whole.ops));
}

nlohmann::ordered_json coverage_json(const Coverage& coverage) {
  return {{"cases", coverage.whole.cases},
          {"claimed_cases", coverage.claimed.cases},
          {"judged_cases", coverage.judged},
          {"ops", coverage.whole.ops},
          {"claimed_ops", coverage.claimed.ops},
          {"answered_ops", coverage.answered},
          {"share", coverage.share},
          {"floor", kCoverageFloor}};
}

LeastJudged LeastJudged::parse(std::string_view text) {
  LeastJudged least;
  least.text_ = text;
  least.is_percent_ = text.ends_with('%');
  const std::string_view digits = text.substr(0, text.size() - (least.is_percent_ ? 1 : 0));
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), least.number_);
  const bool is_number = error == std::errc{} && end == digits.data() + digits.size();
  const bool is_whole = least.is_percent_ || std::floor(least.number_) == least.number_;
  if (!is_number || !std::isfinite(least.number_) || !is_whole || least.number_ < 0 ||
      (least.is_percent_ && least.number_ > 100))
    throw UsageError(fmt::format(
        "--min-judged '{}' is neither a number of cases nor a share; write 1000 or 80%", text));
  return least;
}

bool LeastJudged::is_met(const Coverage& coverage) const {
  return is_percent_ ? coverage.share >= number_ / 100
                     : static_cast<double>(coverage.judged) >= number_;
}

std::string LeastJudged::complaint(const Coverage& coverage) const {
  return fmt::format("--min-judged {}: {} judged, {} of {}", text_,
                     counted(coverage.judged, "case was", "cases were"),
                     cut_percent(coverage.share), grouped(coverage.whole.cases));
}

}  // namespace upcast::reports
