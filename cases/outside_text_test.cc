// Tests of JSON, TOML and shell words that someone else wrote.
#include <gtest/gtest.h>

#include "cases/json_text.h"
#include "cases/limits.h"
#include "cases/read_toml.h"
#include "cases/shell_word.h"
#include "cases/testing/usage_error.h"
#include "cases/visible.h"

namespace upcast {
namespace {

std::string times(std::string_view text, std::size_t count) {
  std::string all;
  for (; count > 0; --count) all += text;
  return all;
}

std::string fault_of(const std::string& toml) {
  return usage_error_of([&] { read_toml(toml, "x.toml"); });
}

TEST(ReadJson, TextsAndKeysAreVisible) {
  const nlohmann::json read =
      read_json("{\"a\":[\"\\u001b[31m\",{\"k\\u202e\":\"x\\ny\"}],\"b\":1}");
  const nlohmann::json shown{{"a", {"\\x1b[31m", {{"k\\u{202e}", "x\\ny"}}}}, {"b", 1}};
  EXPECT_EQ(read, shown);
}

TEST(ReadJson, StopsAtItsLimits) {
  EXPECT_TRUE(read_json(times("[", kMaxNesting) + times("]", kMaxNesting)).is_array());
  EXPECT_TRUE(read_json(times("[", kMaxNesting + 1) + times("]", kMaxNesting + 1)).is_discarded());
  EXPECT_TRUE(read_json(times("{\"a\":", 1'000'000)).is_discarded());
  EXPECT_EQ(read_json("[" + times("0,", kMaxElements - 1) + "0]").size(), kMaxElements);
  EXPECT_TRUE(read_json("[" + times("0,", kMaxElements) + "0]").is_discarded());
  EXPECT_TRUE(read_json("[\"" + times("[\\\"", 1000) + "\"]").is_array()) << "quoted";
  EXPECT_TRUE(read_json("no JSON").is_discarded());
  EXPECT_TRUE(read_json("").is_discarded());
}

TEST(DumpJson, IsUtf8ThatSteersNothing) {
  const nlohmann::json plain{{"a", "größer 大きい"}};
  EXPECT_EQ(dump_json(plain), "{\"a\":\"größer 大きい\"}") << "what can be seen stays";
  EXPECT_EQ(dump_json(plain, 1), "{\n \"a\": \"größer 大きい\"\n}");
  for (const std::string text :
       {"\x1b[m", "\x7f", "\u009b", "\u202e", "\u2028", "\U000e0041", "\xff"}) {
    const std::string dumped = dump_json(nlohmann::ordered_json(text));
    EXPECT_EQ(first_hidden(dumped), std::string::npos) << visible(dumped);
    if (text == "\xff") continue;  // U+FFFD
    EXPECT_EQ(nlohmann::json::parse(dumped), text) << "it reads the same";
  }
}

TEST(ReadToml, TextsAreVisibleAndFaultsNameTheLine) {
  const toml::table read = read_toml("a = \"\\u001b[31m\"\nb = [{c = \"\\u202e\"}]", "x.toml");
  EXPECT_EQ(read["a"].value_or(std::string()), "\\x1b[31m");
  EXPECT_EQ(read["b"][0]["c"].value_or(std::string()), "\\u{202e}");
  EXPECT_EQ(fault_of("a = 1\nb = ").substr(0, 19), "x.toml:2: not TOML:");
}

TEST(ReadToml, StopsAtItsLimits) {
  EXPECT_EQ(fault_of(times("a.", kMaxDottedKey) + "a = 1"), "no error");
  EXPECT_EQ(fault_of("b=1\n" + times("a.", 100'000) + "a = 1"),
            "x.toml:2: a key has at most 16 dots: '" + times("a.", 30) + "...'");
  const std::string too_many = ": a key has at most";
  EXPECT_NE(fault_of("[" + times("a.", 100'000) + "a]").find(too_many), std::string::npos);
  EXPECT_NE(fault_of("\"x.\".\"y\"" + times(".a", 99) + "=1").find(too_many), std::string::npos);
  EXPECT_NE(fault_of("a=" + times("[", 100'000)), "no error");
  EXPECT_NE(fault_of("a=" + times("{b=", 100'000)), "no error");
  EXPECT_NE(fault_of(std::string(kMaxTomlFile + 1, '#')).find("16 MiB"), std::string::npos);
  for (const char quote : {'"', '\''})
    for (const std::size_t count : {1, 3}) {
      const std::string quotes(count, quote);
      EXPECT_EQ(fault_of("a = " + quotes + times(".", 50) + quotes + " # " + times(".", 50)),
                "no error")
          << "dots of a text and of a comment are none of a key";
    }
}

TEST(ShellWord, IsOneWord) {
  EXPECT_EQ(shell_word("add(int32[3], 5.5)"), "'add(int32[3], 5.5)'");
  EXPECT_EQ(shell_word("it's $(x)"), "'it'\\''s $(x)'");
  EXPECT_EQ(shell_word("a\n'\\b\x1b\u202e"), "$'a\\012\\'\\\\b\\033\\342\\200\\256'");
}

}  // namespace
}  // namespace upcast
