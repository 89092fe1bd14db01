#include "tools/testing/command.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "impl/core/temporary_folder.h"

namespace upcast::tools::testing {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::string upcast_program() { return UPCAST_BINARY_DIR "/bin/upcast"; }

void use_test_worker() { setenv("UPCAST_WORKER", UPCAST_BINARY_DIR "/bin/upcast-test-worker", 1); }

std::string temporary_folder() {
  static const TemporaryFolder folder;
  return folder.path();
}

std::string write_file(const std::string& name, const std::string& text) {
  std::string path = temporary_folder() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string seeded_cases(int count) {
  std::string text;
  for (int seed = 0; seed < count; ++seed) {
    text += "add.Tensor(float32[1], float32[1], seed=" + std::to_string(seed) + ")\n";
  }
  return text;
}

namespace {

CommandResult run(const std::string& program, const std::vector<std::string>& arguments,
                  const std::string& input, double kill_after) {
  const std::string in = write_file("stdin", input);
  const std::string out = temporary_folder() + "/stdout";
  const std::string err = temporary_folder() + "/stderr";
  std::fflush(nullptr);  // or the child writes it again
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen(in.c_str(), "r", stdin) == nullptr ||
        std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen(err.c_str(), "w", stderr) == nullptr) {
      _exit(126);
    }
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  if (kill_after > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(kill_after));
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CommandResult result;
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.out = read_file(out);
  result.err = read_file(err);
  return result;
}

}  // namespace

CommandResult run_upcast(const std::vector<std::string>& arguments, const std::string& input,
                         double kill_after) {
  return run(upcast_program(), arguments, input, kill_after);
}

CommandResult run_file(const std::string& program, const std::vector<std::string>& arguments) {
  return run(program, arguments, "", 0);
}

CommandResult run_program(const std::string& name, const std::vector<std::string>& arguments) {
  return run(UPCAST_BINARY_DIR "/bin/" + name, arguments, "", 0);
}

}  // namespace upcast::tools::testing
