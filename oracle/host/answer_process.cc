#include "oracle/host/answer_process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cases/notation.h"
#include "cases/select.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/host/plan_digest.h"
#include "oracle/process/shared_memory.h"
#include "oracle/subject.h"
#include "oracle/version_range.h"

namespace upcast {
namespace {

constexpr std::string_view kWorkerOfVersion = "upcast-worker-";

std::filesystem::path own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
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

Plan make_plan(const WorkerSetup& setup) {
  if (!setup.grid.empty()) return select(make_grid(setup.grid), Selection::parse(setup.selection));
  std::vector<Case> cases;
  cases.reserve(setup.lines.size());
  for (const std::string& line : setup.lines) cases.push_back(parse_case(line));
  return plan_of_cases(std::move(cases), "cases");
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

void check_version(const Side& side, const WorkerHello& hello, const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  const auto libtorch = hello.versions.find("libtorch");
  const bool is_asked_for =
      side.version.empty() ||
      (libtorch != hello.versions.end() && version_in_range(libtorch->second, "==" + side.version));
  const bool is_of_this_build = !name.ends_with("-" + side.version);
  if (!is_asked_for && is_of_this_build)
    fail_for_version(side, "it has no worker next to this program");
  if (!hello.error.empty()) throw UsageError(hello.error);
  // a worker whose hello names no versions may be of any version
  if (!is_asked_for && !hello.versions.empty())
    fail_for_version(side, name + " is linked with another");
}

AnswerProcess::AnswerProcess(const Side& side, WorkerSetup setup) {
  const std::string program = answering_program(side.version);
  setup.subject = to_string(without_version(side));
  const Descriptor file = memory_file(wire::encode(setup));
  child_.emplace(ChildSetup{.command = {program, "--answers", std::to_string(file.get())},
                            .descriptors = {file.get()},
                            .talk = Talk::kSocket});
  greet(side, setup, program);
}

void AnswerProcess::greet(const Side& side, const WorkerSetup& setup, const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  const auto frame = child_->hear();
  const WorkerHello hello = frame ? wire::decode_hello(*frame) : WorkerHello{};
  check_version(side, hello, program);
  if (!frame) throw UsageError("the worker of " + setup.subject + " did not start: " + program);
  if (hello.plan_digest != inputs_digest(make_plan(setup)))
    throw UsageError(name +
                     " is of another build than this program, so that the two make different "
                     "cases; build both again (ninja)");
  versions_ = hello.versions;
  programs_ = hello.programs;
}

bool AnswerProcess::next(Answer& answer, double seconds) {
  const auto frame = child_->hear(seconds);
  if (frame) check(decode_answer(*frame, answer), "an answer arrives whole");
  return frame.has_value();
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
    hello.programs = subject->programs();
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
