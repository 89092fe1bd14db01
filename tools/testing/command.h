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
  int exit_code = -1;  // 128 + signal if it was killed
  std::string out;
  std::string err;
  Words command{};
  /// Its standard output as JSON. The test fails if that is no JSON object.
  Json json() const;
  /// As json(), for a command that must end with that exit code.
  Json json(int code) const;
};

/// Whether a text holds a part.
::testing::AssertionResult holds(const std::string& text, const std::string& part);
/// Whether a command ended with that exit code, and its standard output holds each part.
::testing::AssertionResult prints(const CommandResult& result, int exit_code,
                                  const Words& parts = {});
/// Whether a command ended with exit code 2 and one line, "upcast: ...", that holds each part.
::testing::AssertionResult complains(const CommandResult& result, const Words& parts = {});
/// Whether an object has each of these members with that value.
::testing::AssertionResult includes(const Json& json, const Json& members);

Words joined(Words words, const Words& more);
/// The text with its first `from` replaced by `to`. It must have one.
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// The built command.
std::string upcast_program();
/// Sets $UPCAST_WORKER, for later commands, to the worker whose subjects fail on purpose.
void use_test_worker();

/// Runs to the end; `input` is its standard input. `kill_after` > 0: SIGKILL after so many seconds.
CommandResult run_upcast(const Words& arguments, const std::string& input = "",
                         double kill_after = 0);

/// As run_upcast(), for a program anywhere.
CommandResult run_file(const std::string& program, const Words& arguments,
                       const std::string& input = "", double kill_after = 0);

/// As run_upcast(), for another program of build/bin.
CommandResult run_program(const std::string& name, const Words& arguments);

/// A new folder that is deleted when the process ends.
std::string temporary_folder();
std::string write_file(const std::string& name, const std::string& text);

/// A .cases text of `count` cases that differ in their seed: 0, 1, 2, ...
std::string seeded_cases(int count);

}  // namespace upcast::tools::testing
