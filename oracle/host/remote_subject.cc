#include "oracle/host/remote_subject.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

#include "cases/grid.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/host/worker_plan.h"

namespace upcast {
namespace {

constexpr std::string_view kLibTorch = "libtorch:";

/// A file in memory that holds bytes.
int memory_file(const std::string& bytes) {
  const int fd = memfd_create("upcast-setup", 0);
  if (fd < 0 || write(fd, bytes.data(), bytes.size()) != std::ssize(bytes))
    throw UsageError("cannot start a second worker: no memory for its setup");
  return fd;
}

/// Becomes the child; does not return.
[[noreturn]] void become_child(int socket, int setup) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(socket, STDIN_FILENO);
  dup2(socket, STDOUT_FILENO);
  const std::string number = std::to_string(setup);
  execl("/proc/self/exe", "upcast-worker", "--answers", number.c_str(), nullptr);
  _exit(127);
}

std::string_view query_of(std::string_view subject) {
  const std::size_t at = subject.find('?');
  return at == subject.npos ? "" : subject.substr(at);
}

}  // namespace

bool need_two_processes(std::string_view subject, std::string_view oracle) {
  return subject.starts_with(kLibTorch) && oracle.starts_with(kLibTorch) &&
         query_of(subject) != query_of(oracle);
}

RemoteSubject::RemoteSubject(WorkerSetup setup) : frames_(-1) {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw UsageError("cannot start a second worker: too many open files; give a smaller --jobs");
  const int file = memory_file(wire::encode(setup));
  child_ = fork();
  if (child_ == 0) become_child(sockets[1], file);
  close(sockets[1]);
  close(file);
  socket_ = sockets[0];
  if (child_ < 0)
    throw UsageError("cannot start a second worker: too many processes; give a smaller --jobs");
  frames_ = wire::FrameReader(socket_);
  const auto frame = frames_.read();
  if (!frame) throw UsageError("the worker of " + setup.subject + " did not start");
  WorkerHello hello = wire::decode_hello(*frame);
  if (!hello.error.empty()) throw UsageError(hello.error);
  versions_ = std::move(hello.versions);
}

RemoteSubject::~RemoteSubject() {
  close(socket_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

void RemoteSubject::expect(const Plan&, std::int64_t first, std::int64_t count,
                           std::span<const std::int64_t> skipped) {
  BlockRequest request;
  request.first = first;
  request.count = count;
  for (const std::int64_t index : skipped) request.dead.emplace_back().case_index = index;
  if (!wire::write_frame(socket_, wire::encode(request))) die_with_child();
}

void RemoteSubject::answer(const Case&, Answer& answer) {
  const auto frame = frames_.read();
  if (!frame) die_with_child();
  decode_answer(*frame, answer);
}

void RemoteSubject::die_with_child() {
  int status = 0;
  waitpid(child_, &status, 0);
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

void serve_answers(int socket, const WorkerSetup& setup) {
  WorkerHello hello;
  std::unique_ptr<Subject> subject;
  Plan plan;
  try {
    plan = make_plan(setup);
    subject = make_subject(setup.subject);
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
