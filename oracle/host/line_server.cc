#include "oracle/host/line_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/host/answer_process.h"

namespace upcast {
namespace {

constexpr char kAnswer = 'a';
constexpr char kDeath = 'd';

/// Starts a worker when it is first needed, and again behind each death.
class SubjectOfVersion : public Subject {
 public:
  explicit SubjectOfVersion(const Side& side) : side_(side) { start(); }
  ~SubjectOfVersion() override {
    if (child_ > 0) end();
  }

  void answer(const Case& c, Answer& answer) override {
    if (child_ < 0) start();
    wire::write_frame(socket_, print_case(c));  // one that is gone shows in the read
    const auto frame = frames_.read();
    if (!frame) throw SideDied{false, end().text(), ""};
    Reply reply;
    decode_reply(*frame, reply);
    if (reply.died()) throw SideDied{reply.death == "timeout", reply.death, ""};
    answer = std::move(reply.answer);
  }
  std::map<std::string, std::string> versions() const override { return versions_; }

 private:
  void start() {
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
      throw UsageError("cannot start a worker: too many open files");
    const std::string program = answering_program(side_.version);
    const std::string name = to_string(without_version(side_));
    child_ = start_worker(program, sockets[1], {"--lines", name});
    close(sockets[1]);
    socket_ = sockets[0];
    if (child_ < 0) throw UsageError("cannot start a worker: too many processes");
    frames_ = wire::FrameReader(socket_);
    try {
      const auto frame = frames_.read();
      const WorkerHello hello = frame ? wire::decode_hello(*frame) : WorkerHello{};
      check_version(side_, hello, program);
      if (!frame) throw UsageError("the worker of " + name + " did not start: " + program);
      versions_ = hello.versions;
    } catch (...) {
      end();
      throw;
    }
  }

  /// Closes the socket, which ends a child that lives.
  ExitStatus end() {
    close(socket_);
    const ExitStatus status = wait_for_worker(child_);
    child_ = -1;
    return status;
  }

  Side side_;
  pid_t child_ = -1;
  int socket_ = -1;
  wire::FrameReader frames_{-1};
  std::map<std::string, std::string> versions_;
};

}  // namespace

void serve_lines(int socket, const std::string& name, double time_limit) {
  WorkerHello hello;
  std::unique_ptr<Subject> subject;
  try {
    subject = make_subject(name);
    subject->watched_by({.time_limit = time_limit, .alive = {}});
    hello.versions = subject->versions();
  } catch (const UsageError& error) {
    hello.error = error.what();
  }
  if (!wire::write_frame(socket, wire::encode(hello)) || !subject) return;
  wire::FrameReader lines(socket);
  Answer answer;
  while (const auto line = lines.read()) {
    std::string reply;
    try {
      subject->answer(parse_case(*line), answer);
      reply = kAnswer + encode_answer(answer);
    } catch (const SideDied& death) {
      reply = kDeath + death.how;
    }
    if (!wire::write_frame(socket, reply)) return;
  }
}

void decode_reply(std::string_view frame, Reply& reply) {
  const std::string body(frame.substr(1));
  if (frame.front() == kDeath)
    reply.death = body;
  else
    decode_answer(body, reply.answer);
}

std::unique_ptr<Subject> make_subject_of_version(const Side& side) {
  return std::make_unique<SubjectOfVersion>(side);
}

}  // namespace upcast
