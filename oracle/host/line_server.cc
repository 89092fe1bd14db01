#include "oracle/host/line_server.h"

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/host/answer_process.h"

namespace upcast {
namespace {

constexpr char kAnswer = 'a';
constexpr char kDeath = 'd';
constexpr double kStartLimit = 300;  // seconds that making a subject may take

/// A side that answers from a worker of its own. The worker may be linked with another LibTorch.
class AskedSubject : public Subject {
 public:
  AskedSubject(const Side& side, double time_limit)
      : AskedSubject(side, to_string(without_version(side)), answering_program(side.version),
                     time_limit) {}

  void answer(const Case& c, Answer& answer) override {
    Reply reply = asked_.ask(c);
    if (reply.died()) throw SideDied{reply.death == "timeout", reply.death, ""};
    answer = std::move(reply.answer);
  }
  std::map<std::string, std::string> versions() const override { return asked_.versions(); }
  std::vector<std::string> programs() const override { return asked_.programs(); }

 private:
  AskedSubject(const Side& side, const std::string& name, const std::string& program,
               double time_limit)
      : asked_(name, {.command = {program, "--lines", name}, .talk = Talk::kSocket}, time_limit,
               [=](const WorkerHello& hello) { check_version(side, hello, program); }) {
    asked_.start();
  }

  AskedProcess asked_;
};

}  // namespace

AskedProcess::AskedProcess(std::string name, ChildSetup setup, double time_limit,
                           std::function<void(const WorkerHello&)> check)
    : name_(std::move(name)),
      setup_(std::move(setup)),
      time_limit_(time_limit),
      check_(std::move(check)) {}

void AskedProcess::start() try {
  child_.emplace(setup_);
  const auto frame = child_->hear(kStartLimit);
  WorkerHello hello = frame ? wire::decode_hello(*frame) : WorkerHello{};
  if (check_) check_(hello);
  if (!frame) throw UsageError(name_ + " did not start: " + child_->end_after_silence().text());
  if (!hello.error.empty()) throw UsageError(hello.error);
  versions_ = std::move(hello.versions);
  programs_ = std::move(hello.programs);
} catch (...) {
  child_.reset();
  throw;
}

Reply AskedProcess::ask(const Case& c) {
  if (!child_) start();
  Reply reply;
  // Sending may fail if the child has ended. The wait for its reply notices that.
  child_->send(print_case(c));
  if (const auto frame = child_->hear(time_limit_)) {
    decode_reply(*frame, reply);
  } else {
    reply.death = child_->end_after_silence().text();
    child_.reset();
  }
  return reply;
}

const std::map<std::string, std::string>& AskedProcess::versions() {
  if (!child_ && versions_.empty()) start();
  return versions_;
}

void serve_lines(int socket, const std::string& name, double time_limit) {
  WorkerHello hello;
  std::unique_ptr<Subject> subject;
  try {
    subject = make_subject(name);
    subject->watched_by({.time_limit = time_limit, .alive = {}});
    hello.versions = subject->versions();
    hello.programs = subject->programs();
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
    check(decode_answer(body, reply.answer), "an answer arrives whole");
}

std::unique_ptr<Subject> make_subject_of_version(const Side& side) {
  return std::make_unique<AskedSubject>(side, kNoLimit);
}

std::unique_ptr<Subject> make_apart(const Side& side, const Watch& watch) {
  const bool lives_apart = side.vendor == Vendor::kPlugin || side.vendor == Vendor::kProcess ||
                           side.vendor == Vendor::kPython;
  if (!lives_apart) return std::make_unique<AskedSubject>(side, watch.time_limit);
  std::unique_ptr<Subject> subject = make_subject(side);
  subject->watched_by(watch);
  return subject;
}

}  // namespace upcast
