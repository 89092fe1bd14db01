#include "tools/fuzz/parsers/parser.h"

#include <gtest/gtest.h>

#include <set>

#include "impl/core/error.h"

namespace upcast::fuzz {
namespace {

TEST(Parsers, EachTakesItsSeed) {
  for (const Parser& parser : all_parsers()) {
    const ParserOutcome outcome = run_parser(parser, parser.seed);
    EXPECT_FALSE(outcome.refused) << parser.name << ": " << outcome.message;
    EXPECT_EQ(outcome.fault, "") << parser.name;
  }
  EXPECT_GE(all_parsers().size(), 41U);
  // the control: a text that is no manifest is refused
  EXPECT_TRUE(run_parser(*find_parser("manifest"), "{").refused);
}

TEST(Parsers, NoneHasAFaultOnItsCorpus) {
  for (const Parser& parser : all_parsers())
    for (const std::string& input : parser_corpus(parser.name))
      EXPECT_EQ(run_parser(parser, input).fault, "") << parser.name << ": " << escaped(input);
}

TEST(Parsers, EachHasANameOfItsOwnAndASmallCorpus) {
  std::set<std::string_view> names;
  for (const Parser& parser : all_parsers()) {
    EXPECT_TRUE(names.insert(parser.name).second) << parser.name;
    EXPECT_EQ(find_parser(parser.name)->name, parser.name);
    const std::vector<std::string> corpus = parser_corpus(parser.name);
    EXPECT_GE(corpus.size(), 1U) << parser.name << ": ci/fuzz.sh parsers makes one";
    EXPECT_LE(corpus.size(), 48U) << parser.name;
    for (const std::string& input : corpus) EXPECT_LE(input.size(), 1024U) << parser.name;
  }
  EXPECT_EQ(find_parser("nobody"), nullptr);
}

/// The control: parsers that have one fault each, which run_parser() must report.
TEST(Parsers, WhatIsWrongIsSeen) {
  const auto fault = [](void (*parse)(const std::string&)) {
    return run_parser({"wrong", parse, ""}, "text").fault;
  };
  EXPECT_NE(fault([](const std::string&) { throw std::runtime_error("not ours"); }), "");
  EXPECT_NE(fault([](const std::string&) { throw UsageError("two\nlines"); }), "");
  EXPECT_NE(fault([](const std::string&) { throw UsageError("red \x1b[31m"); }), "");
  EXPECT_NE(fault([](const std::string&) { throw UsageError(""); }), "");
  EXPECT_EQ(fault([](const std::string&) { promise(false, "it changed"); }), "it changed");
  EXPECT_EQ(fault([](const std::string&) { throw UsageError("one line"); }), "");
}

TEST(Parsers, AnInputIsOneLineOfItsCorpus) {
  for (const std::string input : {"", "#a", "[a]", "a\\n\n\x01\xff ", "\\x41"}) {
    EXPECT_EQ(unescaped(escaped(input)), input);
    EXPECT_EQ(escaped(input).find('\n'), std::string::npos);
  }
  EXPECT_EQ(escaped("#\n\x7f "), "\\x23\\n\\x7f\\x20");
}

}  // namespace
}  // namespace upcast::fuzz
