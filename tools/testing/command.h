// Runs build/bin/upcast as a user does, for tests.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace upcast::tools::testing {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct CommandResult {
  int exit_code = -1;  // 128 + the signal, if a signal ended the command
  std::string out;
  std::string err;
  Words command{};
  /// The command's standard output as JSON. The test fails if it is no JSON object.
  Json json() const;
  /// As json(), but the test also fails if the command did not end with the exit code `code`.
  Json json(int code) const;
};

/// Whether a text contains `part`; if not, the message shows both.
::testing::AssertionResult holds(const std::string& text, const std::string& part);
/// Whether a command ended with `exit_code`, and its standard output contains each of `parts`.
::testing::AssertionResult prints(const CommandResult& result, int exit_code,
                                  const Words& parts = {});
/// Whether a command ended with exit code 2 and one line on standard error, "upcast: ...", which
/// contains each of `parts`.
::testing::AssertionResult complains(const CommandResult& result, const Words& parts = {});
/// Whether a JSON object has each of `members` with the same value. It may have others.
::testing::AssertionResult includes(const Json& json, const Json& members);

Words joined(Words words, const Words& more);
/// The text with the first `from` in it replaced by `to`. The test fails if the text does not
/// contain `from`.
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// The path of the built command, build/bin/upcast.
std::string upcast_program();
/// Makes later commands start the test's worker, whose subjects fail on purpose (sets
/// $UPCAST_WORKER).
void use_test_worker();

/// Runs the command and waits for its end. `input` is its standard input. If `kill_after` > 0, it
/// is killed by SIGKILL after so many seconds.
CommandResult run_upcast(const Words& arguments, const std::string& input = "",
                         double kill_after = 0);

/// Does for the program at the path `program` what run_upcast() does for upcast.
CommandResult run_file(const std::string& program, const Words& arguments,
                       const std::string& input = "", double kill_after = 0);

/// As run_upcast(), for the program `name` in build/bin.
CommandResult run_program(const std::string& name, const Words& arguments);

/// The path of a folder for this process, which is deleted when the process ends.
std::string temporary_folder();
std::string write_file(const std::string& name, const std::string& text);

/// A .cases text of `count` cases that differ in their seed: 0, 1, 2, ...
std::string seeded_cases(int count);

}  // namespace upcast::tools::testing
