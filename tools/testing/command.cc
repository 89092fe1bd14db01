#include "tools/testing/command.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "cases/text_file.h"
#include "impl/core/temporary_folder.h"
#include "oracle/process/child.h"

namespace upcast::tools::testing {
namespace {}  // namespace

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
  const std::string out = write_file("stdout", ""), err = write_file("stderr", "");
  ChildSetup setup{.command = {program},
                   .input = in,
                   .output = out,
                   .errors = err,
                   .interrupt = Interrupt::kShared};
  setup.command.insert(setup.command.end(), arguments.begin(), arguments.end());
  Child child(setup);
  if (kill_after > 0 && !child.wait_for(kill_after)) child.kill();
  const ExitStatus status = child.wait();
  CommandResult result;
  result.exit_code = status.signal != 0 ? 128 + status.signal : status.code;
  result.out = file_text(out);
  result.err = file_text(err);
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
