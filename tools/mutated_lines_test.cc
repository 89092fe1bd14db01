// Reads case lines and questions in Python that were damaged at random. Nothing may crash or hang,
// and no message may hold characters that steer a terminal. If a line is accepted, the case that it
// becomes is printed and must read as the same case. UPCAST_MUTATED_LINES is the number of lines.
// This process reads them all; the command reads each kShare-th as well.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>

#include "cases/grid.h"
#include "cases/notation.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "tools/asked_case.h"
#include "tools/explanation.h"
#include "tools/explanation_text.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

constexpr int kSlice = 3000;
constexpr int kShare = 100;
constexpr unsigned kMostSeconds = 10;

/// The line that is being read. The handlers of signals print it, because gtest says nothing about
/// a process that dies.
std::string line_at_hand;

void tell(int signal) {
  const auto say = [](const char* text, std::size_t size) {
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text, size);
  };
  say(signal == SIGALRM ? "hangs: " : "dies: ", signal == SIGALRM ? 7 : 6);
  say(line_at_hand.data(), line_at_hand.size());
  say("\n", 1);
  _exit(99);
}

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> lines{
        "add.Tensor(int32[3], 5.5)",
        "add.Tensor(int32[2,3]{1,2,3,4,5,6}, float16[])",
        "add.Tensor(uint8[4], int8[4], alpha=2)",
        "frexp.Tensor_out(float32[3], out=float32[3], second_out=int32[3])",
        "mul.Tensor(float32[2,3]:permuted, float32[3,2]:strides(1,3)+offset(2), values=special, "
        "seed=7)",
        "add.Tensor(int64[3], 2.5) @default=float64 @device=cuda -> float64[3]",
        "sub.Tensor(bool[2], float32[2]) -> refuses",
        "div.Tensor_mode(int32[3], 2, rounding_mode=\"floor\")",
        "add_.Tensor(float32[4], float32[4]:shares(0))",
        "add(float32[3], float32[]:device(cpu)) @device=cuda  # a comment",
        "clone(complex64[2]{1+2j,bits:0x7fc000007fc00000})",
        "promote_types(int32, float16) -> float16",
        "torch.add(torch.ones(3, dtype=torch.int32), 5.5)",
        "x.add_(x) with x=float32[2]{1,2}",
        "5 / int32[2]{1,2}",
        "a = int32[3]; a + 2**31 - 1",
        "torch.div(x, 3, rounding_mode='floor') with x=torch.full((2, 2), 7)",
        "F.relu(-torch.arange(5)) -> int64[5]",
    };
    const Plan smoke = make_grid("smoke");
    for (const GridRow& row : smoke.rows)
      for (std::int64_t i = 0; i < 20; ++i) {
        Case c = row.prototype;
        row.decode(static_cast<std::int64_t>(i * row.count / 20), c);
        lines.push_back(print_case(c));
      }
    return lines;
  }();
  return all;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string line() {
    std::string line = any(seeds());
    for (std::size_t count = 1 + below(1 + below(4)); count > 0; --count) damage(line);
    std::erase(line, '\0');  // an argument of a program cannot hold a zero byte
    return line;
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  template <class List>
  std::string any(const List& list) {
    return std::string(*(std::begin(list) + below(std::size(list))));
  }

  void damage(std::string& line) {
    static constexpr std::string_view kPieces[]{"\x1b[31m",
                                                "\x1b]8;;http://x\x1b\\",
                                                "\r",
                                                "\x07",
                                                "\b",
                                                "\x7f",
                                                "\xc2\x9b",
                                                "\u202e",
                                                "\u200b",
                                                "\xff",
                                                "\xc3",
                                                "\xed\xa0\x80",
                                                "\n",
                                                "\t",
                                                "\"",
                                                "'",
                                                "\\",
                                                "{",
                                                "}",
                                                "(",
                                                ")",
                                                "[",
                                                "]",
                                                ",",
                                                "=",
                                                ":",
                                                "@",
                                                "->",
                                                "#",
                                                "-",
                                                "+",
                                                "*",
                                                "{i32,f64}",
                                                ":shares(0)",
                                                "None",
                                                "True",
                                                "nan",
                                                "1e999",
                                                "0x1p-9999",
                                                "9223372036854775808",
                                                "99999999999",
                                                "-1",
                                                "bits:0x",
                                                "values=random",
                                                "out=float32[3]",
                                                "2**2**9",
                                                " with x=1",
                                                ";",
                                                "((((((",
                                                "[[[[[["};
    const std::size_t at = below(line.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(line.size() - at + 1, 12));
    switch (below(11)) {
      case 8:
      case 9:
      case 10:
        replace_word(line, at);
        break;
      case 0:
        if (at < line.size()) line[at] = static_cast<char>(random_());
        break;
      case 1:
        line.insert(at, 1, static_cast<char>(random_()));
        break;
      case 2:
      case 3:
        line.insert(at, any(kPieces));
        break;
      case 4:
        line.erase(at, length);
        break;
      case 5:
        line.insert(below(line.size() + 1), line.substr(at, length));
        break;
      case 6: {
        const std::string other = any(seeds());
        line = line.substr(0, at) + other.substr(below(other.size()));
        break;
      }
      default: {
        const std::string part = line.substr(at, length);
        for (std::size_t times = below(below(20) == 0 ? 5000 : 4); times > 0; --times)
          line.insert(at, part);
      }
    }
  }

  /// Replaces the word or number at position `at` by another one that cases use, so that many
  /// damaged lines are still cases.
  void replace_word(std::string& line, std::size_t at) {
    static constexpr std::string_view kDTypes[]{"int32",  "float16",       "bool",     "complex64",
                                                "uint64", "float8_e4m3fn", "bfloat16", "uint1"};
    static constexpr std::string_view kNumbers[]{"0", "1", "3", "4", "7", "65", "1e3", "True"};
    static constexpr std::string_view kWords[]{"add",     "mul_", "div", "where", "clamp",
                                               "special", "cuda", "out", "alpha", "floor"};
    const auto is_part = [&](std::size_t i) {
      return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) != 0);
    };
    while (at < line.size() && !is_part(at)) ++at;
    std::size_t end = at;
    while (is_part(end)) ++end;
    const std::string word = line.substr(at, end - at);
    const bool is_dtype = find_dtype_code(word) != kDTypeCount;
    const bool is_number = word.find_first_not_of("0123456789") == word.npos;
    line.replace(at, end - at, is_dtype ? any(kDTypes) : is_number ? any(kNumbers) : any(kWords));
  }

  std::mt19937_64 random_;
};

/// The first part of a text that must not go to a terminal, made visible; "" if there is none.
/// Characters in `kept`, such as line ends, are allowed.
std::string raw_in(std::string_view text, std::string_view kept = "") {
  const std::size_t at = first_hidden(text, kept);
  return at == text.npos ? "" : visible(text.substr(at, 20));
}

void expect_same_case(const std::string& line) {
  const Case c = parse_case(line);
  const std::string printed = print_case(c);
  EXPECT_EQ(raw_in(printed), "") << visible(line);
  const Case again = parse_case(printed);
  EXPECT_EQ(again, c) << visible(line) << " prints as " << printed;
  EXPECT_EQ(print_case(again), printed) << visible(line);
}

void read_here(const std::string& line) {
  bool is_case = false;
  try {
    expect_same_case(line);
    is_case = true;
  } catch (const UsageError& error) {
    EXPECT_EQ(raw_in(error.what()), "") << visible(line);
    EXPECT_LT(std::strlen(error.what()), 2000u) << visible(line);
  }
  try {
    const Question asked = asked_case(line);
    EXPECT_TRUE(!is_case || asked.c == parse_case(line)) << visible(line);
    EXPECT_EQ(parse_case(print_case(asked.c)), asked.c) << visible(line);
    for (const std::string& note : asked.notes) EXPECT_EQ(raw_in(note), "") << visible(line);
    EXPECT_EQ(raw_in(explanation_text(Explanation(asked.c)), "\n"), "") << visible(line);
  } catch (const UsageError& error) {
    EXPECT_EQ(raw_in(error.what()), "") << visible(line);
    EXPECT_FALSE(is_case) << visible(line) << " is a case, and refused: " << error.what();
  }
}

void give_to_command(const std::string& line, std::size_t which) {
  const Words right{"--subject", "test:right", "--oracle", "test:right"};
  const std::vector<Words> commands{
      {"explain", "--", line},
      joined({"run", "--cases", write_file("mutated.cases", line)}, right),
      {"list", "--", line},
      joined({"run"}, joined(right, {"--", line}))};
  const CommandResult result = run_upcast(commands[which % commands.size()], "", kMostSeconds);
  EXPECT_GE(result.exit_code, 0) << visible(line);
  EXPECT_LE(result.exit_code, 3) << visible(line) << ' ' << result.command.front();
  EXPECT_EQ(raw_in(result.out, "\n"), "") << visible(line);
  EXPECT_EQ(raw_in(result.err, "\n"), "") << visible(line);
}

TEST(MutatedLines, AreRefusedInOneLineOrAreTheCaseThatTheySay) {
  const char* const wanted = std::getenv("UPCAST_MUTATED_LINES");
  const int count = wanted == nullptr ? kSlice : std::atoi(wanted);
  ASSERT_GT(count, 0);
  for (const std::string& line : seeds()) EXPECT_NO_THROW(asked_case(line)) << line;
  use_test_worker();
  for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    std::signal(signal, tell);
  Mutator mutator(26);
  int taken = 0;
  for (int i = 0; i < count && !HasFailure(); ++i) {
    const std::string line = mutator.line();
    line_at_hand = visible(line);
    alarm(2 * kMostSeconds);
    read_here(line);
    try {
      parse_case(line);
      ++taken;
    } catch (const UsageError&) {
    }
    if (i % kShare == 0) give_to_command(line, static_cast<std::size_t>(i / kShare));
    alarm(0);
  }
  for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    std::signal(signal, SIG_DFL);
  EXPECT_GT(taken, count / 50) << "most lines are damaged beyond reading: mutate less";
  std::printf("%d lines, %d of them cases\n", count, taken);
}

TEST(MutatedLines, Control) {
  EXPECT_NE(raw_in("a\x1b[31m"), "");
  EXPECT_NE(raw_in("a\u202e"), "");
  EXPECT_EQ(raw_in("a\n", "\n"), "");
}

}  // namespace
}  // namespace upcast::tools::testing
