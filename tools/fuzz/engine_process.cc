#include "tools/fuzz/engine_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "impl/core/error.h"

namespace upcast::tools {

EngineProcess::EngineProcess(std::vector<std::string> arguments, const std::string& output,
                             const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw UsageError("no process can be started; give fewer --jobs");
  if (pid_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);  // the terminal's SIGINT is the campaign's to handle
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int nothing = open("/dev/null", O_RDONLY);
  if (file < 0 || nothing < 0) _exit(126);
  dup2(nothing, STDIN_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  execv(argv[0], argv.data());
  _exit(127);
}

EngineProcess::~EngineProcess() {
  if (status_) return;
  ::kill(pid_, SIGKILL);
  wait();
}

std::optional<int> EngineProcess::ended() {
  int status = 0;
  if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

int EngineProcess::wait() {
  int status = 0;
  if (!status_ && waitpid(pid_, &status, 0) == pid_) status_ = status;
  return status_.value_or(0);
}

std::optional<int> EngineProcess::wait_for(double seconds) {
  constexpr auto kPoll = std::chrono::milliseconds(5);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!ended() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kPoll);
  return status_;
}

void EngineProcess::interrupt() const { ::kill(pid_, SIGINT); }

void EngineProcess::kill() const { ::kill(pid_, SIGKILL); }

std::int64_t last_number_behind(const std::string& file, const std::string& word) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::streamoff kTail = 1 << 14;
  stream.seekg(0, std::ios::end);
  stream.seekg(std::max<std::streamoff>(0, stream.tellg() - kTail));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t at = text.rfind(word);
  return at == text.npos ? 0 : std::strtoll(text.c_str() + at + word.size(), nullptr, 10);
}

}  // namespace upcast::tools
