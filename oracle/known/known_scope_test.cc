// Tests of which known differences apply to a run, by its sides and their versions of LibTorch.
#include <gtest/gtest.h>

#include "oracle/known/known_matcher.h"

namespace upcast {
namespace {

using Wrong = KnownScope::Wrong;

KnownDifference entry_of(const char* versions, const char* subject = "") {
  KnownDifference entry;
  entry.subject = subject;
  entry.versions = versions;
  return entry;
}

Wrong wrong_side(const char* subject, const char* oracle, const char* version_of_subject,
                 const char* version_of_oracle, const KnownDifference& entry) {
  return known_scope(parse_side(subject), parse_side(oracle),
                     {{"libtorch", version_of_oracle}, {"libtorch.subject", version_of_subject}},
                     true)
      .wrong_side(entry);
}

TEST(KnownScope, VersionRangeIsThatOfTheSideThatIsWrong) {
  const auto ask = [](const char* versions) {
    return wrong_side("libtorch@2.11.0:cpu", "libtorch:cpu", "2.11.0", "2.15.0",
                      entry_of(versions));
  };
  EXPECT_EQ(ask(">=2.15,<2.16"), Wrong::kOracle);
  EXPECT_EQ(ask(">=2.11,<2.12"), Wrong::kSubject);
  EXPECT_EQ(ask(">=2.11,<2.16"), Wrong::kOracle) << "both have it: a difference is the oracle's";
  EXPECT_EQ(ask("<2.11"), Wrong::kNeither);
}

TEST(KnownScope, OracleOfAnotherVersionHasItsOwnRange) {
  const auto ask = [](const char* versions) {
    return known_scope(parse_side("impl:cpu"), parse_side("libtorch@2.11.0:cpu"),
                       {{"libtorch", "2.11.0"}}, true)
        .wrong_side(entry_of(versions));
  };
  EXPECT_EQ(ask(">=2.11,<2.16"), Wrong::kOracle);
  EXPECT_EQ(ask(">=2.15,<2.16"), Wrong::kNeither);
}

TEST(KnownScope, VersionOfTheSubjectAloneIsNoOraclesVersion) {
  const KnownScope scope = known_scope(parse_side("libtorch:cpu?capability=native"),
                                       parse_side("impl:cpu"), {{"libtorch", "2.15.0"}}, true);
  EXPECT_EQ(scope.libtorch, "");
  EXPECT_EQ(scope.wrong_side(entry_of(">=2.15,<2.16", "libtorch:cpu?capability=native")),
            Wrong::kNeither);
}

TEST(KnownScope, EntryOfAPathIsAboutThatPathOfEitherVersion) {
  const KnownDifference native = entry_of(">=2.15,<2.16", "libtorch:cpu?capability=native");
  const char* const subject = "libtorch@2.11.0:cpu?capability=native";
  EXPECT_EQ(wrong_side(subject, "libtorch:cpu", "2.11.0", "2.15.0", native), Wrong::kNeither);
  EXPECT_EQ(wrong_side("libtorch:cpu?capability=avx2", "libtorch:cpu", "2.15.0", "2.15.0", native),
            Wrong::kSubject);
}

TEST(KnownScope, EntryOfOneDnnIsAboutSidesThatAskIt) {
  const KnownDifference onednn = entry_of("", "libtorch:cpu?capability=native&onednn=on");
  const KnownDifference native = entry_of("", "libtorch:cpu?capability=native");
  const auto against_ours = [](const char* oracle, const KnownDifference& entry) {
    return wrong_side("impl:cpu", oracle, "", "2.15.0", entry);
  };
  EXPECT_EQ(against_ours("libtorch:cpu?capability=native", onednn), Wrong::kNeither);
  EXPECT_EQ(against_ours("libtorch:cpu", onednn), Wrong::kNeither);
  EXPECT_EQ(against_ours("libtorch:cpu?capability=native&onednn=on", onednn), Wrong::kOracle);
  EXPECT_EQ(against_ours("libtorch:cpu?capability=avx2&onednn=on", onednn), Wrong::kOracle);
  EXPECT_EQ(against_ours("libtorch:cpu?capability=native&onednn=on", native), Wrong::kOracle);
}

TEST(KnownScope, EntryOfAWayOfAFrameworkIsAboutItWithAnyFurtherSettings) {
  KnownDifference entry = entry_of(">=2.15,<2.16", "python:torch?via=compile");
  entry.also = {"python:torch?via=decomp"};
  const auto ask = [&entry](const char* subject) {
    return wrong_side(subject, "libtorch:cpu", "", "2.15.0", entry);
  };
  for (const char* subject :
       {"python:torch?via=compile", "python:torch?via=compile&graph=16",
        "python:torch?python=python3&via=compile&dynamic=1", "python:torch?via=decomp&table=core"})
    EXPECT_EQ(ask(subject), Wrong::kSubject) << subject;
  for (const char* subject : {"python:torch", "python:torch?via=refs", "python:jax?via=compile",
                              "impl:cpu", "libtorch:cpu?capability=native"})
    EXPECT_EQ(ask(subject), Wrong::kNeither) << subject;
}

TEST(KnownScope, WhatIsAboutPathsOfOneLibTorch) {
  const auto ask = [](const char* subject, const char* oracle, const char* of) {
    return known_scope(parse_side(subject), parse_side(oracle), {}, true)
        .is_about_paths(entry_of("", of));
  };
  EXPECT_TRUE(ask("libtorch:cpu?capability=avx2", "libtorch:cpu", ""));
  EXPECT_TRUE(ask("impl:cpu", "libtorch:cpu", "libtorch:cpu?capability=native"));
  EXPECT_FALSE(ask("impl:cpu", "libtorch:cpu", ""));
  EXPECT_FALSE(ask("impl:cpu", "libtorch:cpu?capability=native", ""));
  EXPECT_FALSE(ask("libtorch@2.11.0:cpu", "libtorch:cpu", ""));
  EXPECT_FALSE(ask("impl:meta", "libtorch:meta", "libtorch:meta"));
}

TEST(KnownScope, EntryIsStaleOnlyAgainstOurs) {
  const KnownDifference entry = entry_of(">=2.11,<2.12");
  const auto scope = [](const char* subject) {
    return KnownScope{.subject = parse_side(subject),
                      .oracle = parse_side("libtorch@2.11.0:cpu"),
                      .libtorch = "2.11.0"};
  };
  EXPECT_TRUE(scope("impl:cpu").finds_stale(entry));
  EXPECT_FALSE(scope("libtorch:cpu").finds_stale(entry));
}

}  // namespace
}  // namespace upcast
