#include "cases/known_differences.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cases/notation.h"
#include "cases/testing/usage_error.h"

namespace upcast {
namespace {

/// The text of a file with one sound entry. `change` replaces the line of `key`; an empty `change`
/// removes it.
std::string file_with(const std::string& key = "", const std::string& change = "") {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"id", "id = 'a'"},
      {"select", "select = 'exp(float16[*])'"},
      {"kind", "kind = 'value'"},
      {"oracle", "oracle = 'nan'"},
      {"class", "class = 'bug'"},
      {"libtorch", "libtorch = '>=2.15'"},
      {"reason", "reason = 'because'"},
      {"found", "found = '2026-11-22'"},
      {"link", "link = 'https://example.org'"},
      {"case", "case = 'exp(float16[1])'"},
      {"truth", "truth = 'float16[1]'"},
      {"ours_ulp", "ours_ulp = 0.5"},
      {"wrong_ulp", "wrong_ulp = inf"},
      {"witness", "witness = 'truth'"}};
  std::string text = "[[difference]]\n";
  for (const auto& [name, line] : lines) text += (name == key ? change : line) + "\n";
  return text;
}

std::string fault_of(const std::string& text) {
  return usage_error_of([&] { parse_known_differences(text, "k.toml"); });
}

TEST(KnownDifferences, ReadsAnEntry) {
  const auto entries = parse_known_differences(file_with(), "k.toml");
  ASSERT_EQ(entries.size(), 1U);
  const KnownDifference& entry = entries[0];
  EXPECT_EQ(entry.id, "a");
  EXPECT_EQ(entry.selector_text, "exp(float16[*])");
  EXPECT_EQ(entry.kinds, std::vector<std::string>{"value"});
  EXPECT_EQ(entry.wrong_answer, "nan");
  EXPECT_EQ(entry.difference_class, "bug");
  EXPECT_EQ(entry.witness_text(), "truth");
  EXPECT_EQ(entry.versions, ">=2.15");
  EXPECT_EQ(entry.reason, "because");
  EXPECT_EQ(entry.found, "2026-11-22");
  EXPECT_EQ(entry.links, std::vector<std::string>{"https://example.org"});
  EXPECT_EQ(entry.case_line, "exp(float16[1])");
  EXPECT_TRUE(entry.selector->matches(parse_case("exp(float16[3])")));
}

TEST(KnownDifferences, SayWhereTheCauseIs) {
  const auto entry = parse_known_differences(
      file_with("reason",
                "reason = 'x'\nplace = 'a.h: f'\nmend = 'Divide.'\n"
                "related = ['https://example.org/1', 'https://example.org/2']"),
      "k.toml")[0];
  EXPECT_EQ(entry.place, "a.h: f");
  EXPECT_EQ(entry.mend, "Divide.");
  EXPECT_EQ(entry.related.size(), 2U);
  EXPECT_EQ(
      fault_of(file_with("reason", "reason = 'x'\nplace = 'a.h: f'")),
      "k.toml:1: 'place' (where the cause is) and 'mend' (what would fix it) are given together");
  EXPECT_EQ(fault_of(file_with("reason", "reason = 'x'\nrelated = 'nowhere'")),
            "k.toml:9: 'nowhere' is not an https address");
}

TEST(KnownDifferences, FurtherSubjectsAddToASubject) {
  const std::string with_subject = file_with("oracle", "subject = 'x'\nanswer = 'nan'");
  const auto also = [&](const char* line) {
    return parse_known_differences(with_subject + line, "k.toml")[0].also;
  };
  EXPECT_EQ(also("also = 'y'"), std::vector<std::string>{"y"});
  EXPECT_EQ(also("also = ['y', 'z']"), (std::vector<std::string>{"y", "z"}));
  EXPECT_NE(fault_of(file_with() + "also = 'y'").find("'also' adds to 'subject'"),
            std::string::npos);
}

TEST(KnownDifferences, AnEmptyFileHoldsNone) {
  EXPECT_TRUE(parse_known_differences("# none yet\n", "k.toml").empty());
  EXPECT_TRUE(parse_known_differences("", "k.toml").empty());
}

TEST(KnownDifferences, ALinkMayBeLeftOutOrBeAList) {
  EXPECT_TRUE(parse_known_differences(file_with("link"), "k.toml")[0].links.empty());
  EXPECT_EQ(parse_known_differences(
                file_with("link", "link = ['https://example.org/1', 'https://example.org/2']"),
                "k.toml")[0]
                .links,
            (std::vector<std::string>{"https://example.org/1", "https://example.org/2"}));
}

TEST(KnownDifferences, OnlyHttpsIsALink) {
  for (const char* link : {"http://example.org", "javascript:alert(1)", "example.org",
                           "https://example.org/a b", "https://example.org/<b>", " https://a.org"})
    EXPECT_EQ(fault_of(file_with("link", "link = '" + std::string(link) + "'")),
              "k.toml:10: '" + std::string(link) + "' is not an https address");
  EXPECT_EQ(fault_of(file_with("link", "link = ['https://example.org', 'ftp://example.org']")),
            "k.toml:10: 'ftp://example.org' is not an https address");
  EXPECT_EQ(fault_of(file_with("link", "link = 7")),
            "k.toml:10: 'link' is a text that is not empty");
}

TEST(KnownDifferences, FoundIsADayThatExists) {
  for (const char* day : {"2026-11-31", "22.11.2026", "yesterday"})
    EXPECT_EQ(fault_of(file_with("found", "found = '" + std::string(day) + "'")),
              "k.toml:9: 'found' is a day such as \"2026-11-22\"");
  EXPECT_EQ(fault_of(file_with("found", "found = 2026-11-22")),
            "k.toml:9: 'found' is a text that is not empty")
      << "a date of TOML is no text";
}

TEST(KnownDifferences, SelectMayBeAList) {
  const auto entries = parse_known_differences(
      file_with("select", "select = ['exp(float16[*])', 'log(*)']"), "k.toml");
  EXPECT_EQ(entries[0].selector_text, "exp(float16[*]) | log(*)");
  EXPECT_TRUE(entries[0].selector->matches(parse_case("log(int8[1])")));
}

TEST(KnownDifferences, FindsByCaseAndKind) {
  const auto entries = parse_known_differences(
      file_with() + file_with("id", "id = 'b'") + file_with("id", "id = 'c'\n#"), "k.toml");
  const Case c = parse_case("exp(float16[2])");
  ASSERT_EQ(find_all(entries, c, "value").size(), 3U) << "they overlap";
  EXPECT_EQ(find_first(entries, c, "value"), &entries[0]);
  EXPECT_EQ(find_first(entries, c, "dtype"), nullptr);
  EXPECT_EQ(find_first(entries, parse_case("exp(float32[2])"), "value"), nullptr);
}

TEST(KnownDifferences, FaultsNameFileAndLine) {
  EXPECT_EQ(fault_of("[[difference]\n").substr(0, 19), "k.toml:1: not TOML:");
  EXPECT_EQ(fault_of("[[diference]]\nid = 'a'\n"),
            "k.toml:1: unknown key 'diference'; the file holds [[difference]] tables");
  EXPECT_EQ(fault_of("difference = [1]\n"), "k.toml:1: a difference is a table");
  for (const char* key : {"id", "select", "kind", "oracle", "class", "libtorch", "reason", "found",
                          "case", "truth"}) {
    EXPECT_EQ(fault_of(file_with(key)), "k.toml:1: a difference needs '" + std::string(key) + "'");
    EXPECT_EQ(fault_of(file_with(key, std::string(key) + " = ''")).substr(0, 7), "k.toml:")
        << "an empty " << key;
    EXPECT_EQ(fault_of(file_with(key, std::string(key) + " = 1")).substr(0, 7), "k.toml:")
        << "a number for " << key;
  }
  EXPECT_EQ(fault_of(file_with("reason", "reason = 'x'\nreson = 'y'")),
            "k.toml:9: unknown key 'reson'; did you mean reason? (id, select, kind, oracle, "
            "subject, answer, class, libtorch, reason, found, link, case, truth, ours_ulp, "
            "wrong_ulp, no_truth, python, both_off, witness, general, also, place, mend, related, "
            "cause)");
  EXPECT_EQ(fault_of(file_with("class", "class = 'bugg'")),
            "k.toml:6: unknown class 'bugg'; did you mean bug? (bug, by_design, host_defined, "
            "ambiguous)");
  EXPECT_EQ(fault_of(file_with("kind", "kind = 'valu'")).substr(0, 53),
            "k.toml:4: unknown kind 'valu'; did you mean value? (d");
  EXPECT_EQ(fault_of(file_with("select", "select = 'exp(float33[*])'")).substr(0, 63),
            "k.toml:3: select: 'exp(float33[*])': column 5: unknown dtype 'f");
  EXPECT_EQ(fault_of(file_with("select", "select = []")), "k.toml:3: 'select' has no selector");
  EXPECT_EQ(fault_of(file_with() + "both_off = 'exp(float33[*])'").substr(0, 66),
            "k.toml:16: both_off: 'exp(float33[*])': column 5: unknown dtype 'f");
  EXPECT_EQ(fault_of(file_with("case", "case = 'exp(float17[1])'")).substr(0, 48),
            "k.toml:11: case: column 5: unknown dtype 'float1");
  EXPECT_EQ(fault_of(file_with("case", "case = 'exp(float32[1])'")),
            "k.toml:11: the case of 'a' is not selected by its selector");
  EXPECT_EQ(fault_of(file_with() + file_with()), "k.toml:17: the id 'a' is used twice");
}

TEST(KnownDifferences, ACauseIsANameThatSeveralEntriesShare) {
  const auto entry = [](const std::string& id, const std::string& cause) {
    return file_with("id",
                     "id = '" + id + "'" + (cause.empty() ? "" : "\ncause = '" + cause + "'"));
  };
  const auto entries =
      parse_known_differences(entry("a", "c") + entry("b", "c") + entry("d", ""), "k.toml");
  EXPECT_EQ(entries[0].cause, "c");
  EXPECT_EQ(entries[1].cause, "c");
  EXPECT_EQ(entries[2].cause, "d") << "its id, where no other entry has the same cause";
  EXPECT_EQ(fault_of(entry("a", "c") + entry("b", "")),
            "k.toml: the cause 'c' of a is not shared with another entry; leave it out");
  EXPECT_EQ(fault_of(entry("a", "b") + entry("b", "")),
            "k.toml: the cause 'b' of a is the id of an entry");
}

TEST(KnownDifferences, ABugInValuesHasItsErrorsOrSaysWhyNot) {
  EXPECT_EQ(fault_of(file_with("ours_ulp")), "k.toml:1: a difference needs 'ours_ulp'");
  EXPECT_EQ(fault_of(file_with("wrong_ulp")), "k.toml:1: a difference needs 'wrong_ulp'");
  EXPECT_EQ(fault_of(file_with("ours_ulp", "ours_ulp = -1.0")),
            "k.toml:13: 'ours_ulp' is an error in ulp");
  EXPECT_EQ(fault_of(file_with("wrong_ulp", "wrong_ulp = 'much'")),
            "k.toml:14: 'wrong_ulp' is an error in ulp");
  std::string without_truth = file_with("wrong_ulp", "no_truth = 'a view'");
  without_truth.replace(without_truth.find("'truth'"), 7, "'majority: numpy, jax'");
  EXPECT_EQ(fault_of(without_truth), "k.toml:13: without a truth there are no errors in ulp");
  EXPECT_EQ(fault_of(file_with("wrong_ulp", "wrong_ulp = 0.7")),
            "k.toml:14: an error this small is a rounding, which is not a bug");
  EXPECT_EQ(fault_of(file_with("kind", "kind = 'dtype'")),
            "k.toml:13: 'ours_ulp' is for bugs of the kind value");
  EXPECT_EQ(parse_known_differences(file_with(), "k.toml")[0].ours_ulp, 0.5);
}

TEST(KnownDifferences, ABugHasAWitness) {
  const auto witness = [](const std::string& value) {
    return file_with("witness", "witness = " + value);
  };
  const std::string without = fault_of(file_with("witness"));
  EXPECT_EQ(without.substr(0, 29), "k.toml:1: a bug needs 'witnes");
  EXPECT_EQ(fault_of(witness("'trueth'")),
            "k.toml:15: unknown witness 'trueth'; did you mean truth? (truth, path, documentation, "
            "majority)");
  for (const char* text : {"'truth: 3'", "'path'", "'majority: '"})
    EXPECT_NE(fault_of(witness(text)).find("truth is written without a text"), std::string::npos)
        << text;
  EXPECT_NE(fault_of(witness("['truth', 'documentation: torch.exp']")).find("https address"),
            std::string::npos);
  EXPECT_EQ(fault_of(witness("['truth', 'path: exp(float17[1])']")).substr(0, 32),
            "k.toml:15: path: column 5: unkno");
  EXPECT_EQ(fault_of(witness("'majority: numpy, jax'")),
            "k.toml:15: a bug in values has 'truth' among its witnesses, or 'no_truth'");
  const auto entries = parse_known_differences(
      witness("['truth', 'path: exp(float16[8]) on libtorch:meta', 'majority: numpy, jax', "
              "'documentation: https://example.org/exp The exponential.']"),
      "k.toml");
  ASSERT_EQ(entries[0].witnesses.size(), 4U);
  EXPECT_EQ(entries[0].witnesses[1].text, "exp(float16[8])");
  EXPECT_EQ(entries[0].witnesses[1].side, "libtorch:meta");
  EXPECT_EQ(entries[0].witness_text(),
            "truth; path: exp(float16[8]) on libtorch:meta; majority: numpy, jax; "
            "documentation: https://example.org/exp The exponential.");
}

TEST(KnownDifferences, OnlyABugAndADesignHaveAWitness) {
  EXPECT_NE(fault_of("[[difference]]\nid = 'a'\nselect = 'exp(*)'\nkind = ['dtype', 'value']\n"
                     "oracle = 'nan'\nclass = 'ambiguous'\nlibtorch = '>=2.15'\nreason = 'x'\n"
                     "found = '2026-11-22'\ncase = 'exp(float16[1])'\ntruth = 'float16[1]'\n"
                     "witness = 'truth'\n")
                .find("'witness' is for the classes bug and by_design"),
            std::string::npos);
}

TEST(KnownDifferences, OneCauseMayShowInSeveralKinds) {
  const auto entries =
      parse_known_differences(file_with("kind", "kind = ['value', 'dtype']"), "k.toml");
  EXPECT_TRUE(entries[0].is_of("value") && entries[0].is_of("dtype"));
  EXPECT_FALSE(entries[0].is_of("refusal"));
  EXPECT_EQ(fault_of(file_with("kind", "kind = []")), "k.toml:4: 'kind' is empty");
}

TEST(KnownDifferences, AFileThatCannotBeReadIsAFault) {
  EXPECT_THROW(load_known_differences("/nonexistent.toml"), UsageError);
}

TEST(KnownDifferences, TheFileOfTheProjectIsSound) {
  for (const char* file : {"known_differences.toml", "compiler_differences.toml"})
    EXPECT_NO_THROW(load_known_differences(UPCAST_SOURCE_DIR "/cases/" + std::string(file)));
}

}  // namespace
}  // namespace upcast
