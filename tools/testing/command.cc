#include "tools/testing/command.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "cases/text_file.h"
#include "impl/core/temporary_folder.h"
#include "oracle/process/child.h"

namespace upcast::tools::testing {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

Json CommandResult::json() const {
  const Json json = Json::parse(out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(json.is_object()) << out << err;
  return json;
}

Json CommandResult::json(int code) const {
  EXPECT_TRUE(prints(*this, code));
  return json();
}

AssertionResult holds(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != text.npos;
  return AssertionResult(found) << "'" << part << "' " << (found ? "" : "not ") << "in: " << text;
}

AssertionResult prints(const CommandResult& result, int exit_code, const Words& parts) {
  if (result.exit_code != exit_code)
    return AssertionFailure() << "exit code " << result.exit_code << ", not " << exit_code
                              << ", of " << Json(result.command) << ": " << result.out
                              << result.err;
  for (const std::string& part : parts)
    if (AssertionResult found = holds(result.out, part); !found) return found << result.err;
  return AssertionSuccess();
}

AssertionResult complains(const CommandResult& result, const Words& parts) {
  if (AssertionResult ended = prints(result, 2); !ended) return ended;
  if (!result.err.starts_with("upcast: ") ||
      std::count(result.err.begin(), result.err.end(), '\n') != 1)
    return AssertionFailure() << "not one line of upcast's, but of " << Json(result.command) << ": "
                              << result.err;
  for (const std::string& part : parts)
    if (AssertionResult found = holds(result.err, part); !found) return found;
  return AssertionSuccess();
}

AssertionResult includes(const Json& json, const Json& members) {
  for (const auto& [key, value] : members.items())
    if (const Json found = json.value(key, Json()); found != value)
      return AssertionFailure() << key << " is " << found << ", not " << value;
  return AssertionSuccess();
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_TRUE(holds(text, from));
  return text.replace(text.find(from), from.size(), to);
}

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

CommandResult run_file(const std::string& program, const Words& arguments, const std::string& input,
                       double kill_after) {
  const std::string in = write_file("stdin", input);
  const std::string out = write_file("stdout", ""), err = write_file("stderr", "");
  const Words command = joined({program}, arguments);
  Child child({.command = command,
               .input = in,
               .output = out,
               .errors = err,
               .interrupt = Interrupt::kShared});
  if (kill_after > 0 && !child.wait_for(kill_after)) child.kill();
  const ExitStatus status = child.wait();
  return {.exit_code = status.signal != 0 ? 128 + status.signal : status.code,
          .out = file_text(out),
          .err = file_text(err),
          .command = command};
}

CommandResult run_upcast(const Words& arguments, const std::string& input, double kill_after) {
  return run_file(upcast_program(), arguments, input, kill_after);
}

CommandResult run_program(const std::string& name, const Words& arguments) {
  return run_file(UPCAST_BINARY_DIR "/bin/" + name, arguments);
}

}  // namespace upcast::tools::testing
