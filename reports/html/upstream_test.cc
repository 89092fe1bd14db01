#include "reports/html/upstream.h"

#include <gtest/gtest.h>

namespace upcast::reports {
namespace {

std::vector<std::string> texts(std::string_view links) {
  std::vector<std::string> all;
  for (const UpstreamLink& link : upstream_links(links)) all.push_back(link.text);
  return all;
}

TEST(Upstream, ThreadsAndPagesHaveShortNames) {
  const auto links = upstream_links(
      "https://github.com/pytorch/pytorch/issues/138425 "
      "https://docs.pytorch.org/docs/stable/generated/torch.round.html");
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].text, "pytorch#138425");
  EXPECT_EQ(links[0].address, "https://github.com/pytorch/pytorch/issues/138425");
  EXPECT_EQ(links[1].text, "docs.pytorch.org: torch.round");
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts("https://github.com/shibatch/sleef/pull/370"), Texts{"sleef#370"});
  EXPECT_EQ(texts("https://github.com/shibatch/sleef"), Texts{"github.com: sleef"});
  EXPECT_EQ(texts("https://sourceware.org/bugzilla/show_bug.cgi?id=20916"),
            Texts{"sourceware.org: show_bug.cgi?id=20916"});
  EXPECT_EQ(texts("https://example.org/"), Texts{"example.org"});
  EXPECT_EQ(texts("https://"), Texts{"https://"});
  EXPECT_TRUE(texts("").empty());
}

TEST(Upstream, WhatIsNoHttpsHasNoAddress) {
  for (const char* link : {"javascript:alert(1)", "http://example.org/x", "data:text/html,x"}) {
    const auto links = upstream_links(link);
    ASSERT_EQ(links.size(), 1u) << link;
    EXPECT_EQ(links[0].text, link);
    EXPECT_EQ(links[0].address, "") << link;
  }
}

TEST(Upstream, AgeIsCountedToTheRun) {
  EXPECT_EQ(age_at_run("2026-11-21", "2026-11-21"), "0 days old");
  EXPECT_EQ(age_at_run("2026-11-21", "2026-11-22"), "1 day old");
  EXPECT_EQ(age_at_run("2024-02-28", "2026-11-22"), "998 days old");
  EXPECT_EQ(age_at_run("2020-01-01", "2026-11-22"), "2,517 days old");
  EXPECT_EQ(age_at_run("2026-11-22", "2026-11-21"), "");
  EXPECT_EQ(age_at_run("", "2026-11-22"), "");
  EXPECT_EQ(age_at_run("2026-11-21", ""), "") << "a store of an earlier upcast";
}

}  // namespace
}  // namespace upcast::reports
