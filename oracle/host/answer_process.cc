#include "oracle/host/answer_process.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>

#include "cases/grid.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/host/plan_digest.h"
#include "oracle/host/worker_plan.h"
#include "oracle/subject.h"
#include "oracle/version_range.h"

namespace upcast {
namespace {

constexpr std::string_view kWorkerOfVersion = "upcast-worker-";

std::filesystem::path own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

/// A file in memory that holds bytes.
int memory_file(const std::string& bytes) {
  const int fd = memfd_create("upcast-setup", 0);
  if (fd < 0 || write(fd, bytes.data(), bytes.size()) != std::ssize(bytes))
    throw UsageError("cannot start a second worker: no memory for its setup");
  return fd;
}

/// Becomes the child; does not return.
[[noreturn]] void become_child(const std::string& program, int socket,
                               const std::vector<std::string>& arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(socket, STDIN_FILENO);
  dup2(socket, STDOUT_FILENO);
  std::vector<char*> words{const_cast<char*>("upcast-worker")};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  _exit(127);
}

[[noreturn]] void fail_for_version(const Side& side, const std::string& why) {
  throw UsageError("libtorch@" + side.version + ": " + why + "; build it: ci/libtorch_version.sh " +
                   side.version);
}

}  // namespace

std::string answering_program(const std::string& version) {
  const std::filesystem::path folder = own_program().parent_path();
  if (version.empty()) {
    const char* const chosen = std::getenv("UPCAST_WORKER");
    return chosen != nullptr && *chosen != '\0' ? chosen : folder / "upcast-worker";
  }
  const std::filesystem::path other = folder / (std::string(kWorkerOfVersion) + version);
  return std::filesystem::exists(other) ? other.string() : answering_program("");
}

std::vector<std::string> other_versions() {
  std::vector<std::string> versions;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(own_program().parent_path(), error)) {
    const std::string name = file.path().filename();
    const std::string version = name.substr(std::min(name.size(), kWorkerOfVersion.size()));
    if (name.starts_with(kWorkerOfVersion) && version_in_range(version, ">0"))
      versions.push_back(version);
  }
  std::sort(versions.begin(), versions.end(), [](const std::string& a, const std::string& b) {
    return version_in_range(a, "<" + b);
  });
  return versions;
}

pid_t start_worker(const std::string& program, int socket,
                   const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child == 0) become_child(program, socket, arguments);
  return child;
}

ExitStatus wait_for_worker(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return {WTERMSIG(status), 0};
  return {0, WEXITSTATUS(status)};
}

void check_version(const Side& side, const WorkerHello& hello, const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  const auto libtorch = hello.versions.find("libtorch");
  const bool is_asked_for =
      side.version.empty() ||
      (libtorch != hello.versions.end() && version_in_range(libtorch->second, "==" + side.version));
  const bool is_of_this_build = !name.ends_with("-" + side.version);
  if (!is_asked_for && is_of_this_build)
    fail_for_version(side, "no worker of it is beside this program");
  if (!hello.error.empty()) throw UsageError(hello.error);
  // of a worker that said nothing no version is known
  if (!is_asked_for && !hello.versions.empty())
    fail_for_version(side, name + " is linked with another");
}

AnswerProcess::AnswerProcess(const Side& side, WorkerSetup setup) : frames_(-1) {
  const std::string program = answering_program(side.version);
  setup.subject = to_string(without_version(side));
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw UsageError("cannot start a second worker: too many open files; give a smaller --jobs");
  const int file = memory_file(wire::encode(setup));
  child_ = start_worker(program, sockets[1], {"--answers", std::to_string(file)});
  close(sockets[1]);
  close(file);
  socket_ = sockets[0];
  if (child_ < 0) {
    close(socket_);
    throw UsageError("cannot start a second worker: too many processes; give a smaller --jobs");
  }
  frames_ = wire::FrameReader(socket_);
  try {
    greet(side, setup, program);
  } catch (...) {
    end(/*kill=*/true);
    close(socket_);
    throw;
  }
}

void AnswerProcess::greet(const Side& side, const WorkerSetup& setup, const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  const auto frame = frames_.read();
  const WorkerHello hello = frame ? wire::decode_hello(*frame) : WorkerHello{};
  check_version(side, hello, program);
  if (!frame) throw UsageError("the worker of " + setup.subject + " did not start: " + program);
  if (hello.plan_digest != inputs_digest(make_plan(setup)))
    throw UsageError(name +
                     " is of another build than this: the two make different cases; build "
                     "both again (ninja)");
  versions_ = hello.versions;
}

AnswerProcess::~AnswerProcess() {
  close(socket_);
  if (child_ > 0) end(/*kill=*/false);
}

bool AnswerProcess::announce(const BlockRequest& request) {
  return wire::write_frame(socket_, wire::encode(request));
}

bool AnswerProcess::next(Answer& answer) {
  const auto frame = frames_.read();
  if (frame) decode_answer(*frame, answer);
  return frame.has_value();
}

bool AnswerProcess::wait(double seconds) const {
  pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
  return poll(&ready, 1, static_cast<int>(seconds * 1000)) > 0;
}

ExitStatus AnswerProcess::end(bool kill) {
  if (kill) ::kill(child_, SIGKILL);
  const ExitStatus status = wait_for_worker(child_);
  child_ = -1;
  return status;
}

void serve_answers(int socket, const WorkerSetup& setup) {
  WorkerHello hello;
  std::unique_ptr<Subject> subject;
  Plan plan;
  try {
    plan = make_plan(setup);
    subject = make_subject(setup.subject);
    hello.plan_digest = inputs_digest(plan);
    hello.versions = subject->versions();
  } catch (const UsageError& error) {
    hello.error = error.what();
  }
  if (!wire::write_frame(socket, wire::encode(hello)) || !subject) return;
  wire::FrameReader requests(socket);
  Case c;
  Answer answer;
  while (const auto frame = requests.read()) {
    const BlockRequest request = wire::decode_request(*frame);
    const GridRow* row = nullptr;
    for (std::int64_t index = request.first; index < request.first + request.count; ++index) {
      if (row == nullptr || index >= row->first + row->count) {
        row = &plan.row_of(index);
        c = row->prototype;
      }
      if (std::any_of(request.dead.begin(), request.dead.end(),
                      [&](const DeadSide& dead) { return dead.case_index == index; }))
        continue;
      row->decode(index - row->first, c);
      subject->answer(c, answer);
      if (!wire::write_frame(socket, encode_answer(answer))) return;
    }
  }
}

}  // namespace upcast
