// Runs build/bin/upcast as a user does, for tests.
#pragma once

#include <string>
#include <vector>

namespace upcast::tools::testing {

struct CommandResult {
  int exit_code = -1;  // 128 + signal where it was killed
  std::string out;
  std::string err;
};

/// The built command.
std::string upcast_program();
/// The worker whose subjects fail on purpose; set as $UPCAST_WORKER for the commands that follow.
void use_test_worker();

/// Runs to the end; `input` is its standard input. `kill_after` > 0: SIGKILL after so many seconds.
CommandResult run_upcast(const std::vector<std::string>& arguments, const std::string& input = "",
                         double kill_after = 0);

/// The same for a program anywhere.
CommandResult run_file(const std::string& program, const std::vector<std::string>& arguments);

/// The same for another program of build/bin.
CommandResult run_program(const std::string& name, const std::vector<std::string>& arguments);

/// A new folder that goes with the process.
std::string temporary_folder();
std::string write_file(const std::string& name, const std::string& text);

/// A .cases text of `count` cases that differ in their seed: 0, 1, 2, ...
std::string seeded_cases(int count);

}  // namespace upcast::tools::testing
