// Counts the tags that RapidCheck gives to examples (RC_CLASSIFY).
#pragma once

#include <rapidcheck.h>

#include <map>
#include <string>

namespace upcast::properties {

class TagCounter : public rc::detail::TestListener {
 public:
  /// How many examples have each tag.
  const std::map<std::string, int>& counts() const { return counts_; }
  int count(const std::string& tag) const { return counts_.contains(tag) ? counts_.at(tag) : 0; }

  void onTestCaseFinished(const rc::detail::CaseDescription& description) override {
    for (const std::string& tag : description.tags) ++counts_[tag];
  }
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}

 private:
  std::map<std::string, int> counts_;
};

}  // namespace upcast::properties
