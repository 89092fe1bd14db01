#include "tools/verdict_tone.h"

namespace upcast::tools {
namespace {

Tone tone_of(const reports::Summary& summary) {
  switch (summary.outlook()) {
    case reports::Outlook::kAsExpected:
      return Tone::kGood;
    case reports::Outlook::kUnexpected:
      return Tone::kBad;
    default:  // nothing is known yet, or too little
      return Tone::kFaint;
  }
}

}  // namespace

Tone tone_of(VerdictCode code) {
  if (is_failure(code)) return Tone::kBad;
  if (code == VerdictCode::kKnown) return Tone::kKnown;
  return is_agreement(code) ? Tone::kGood : Tone::kFaint;
}

std::string painted_summary(std::FILE* to, const reports::Summary& summary) {
  const std::string text = reports::summary_text(summary);
  const std::size_t end = text.find('\n');
  const Tone tone = tone_of(summary);
  return painted(to, tone, text.substr(0, end)) + (end == text.npos ? "" : text.substr(end));
}

}  // namespace upcast::tools
