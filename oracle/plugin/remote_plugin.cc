#include "oracle/plugin/remote_plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/text_cursor.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/plugin/serve_plugin.h"

namespace upcast {
namespace {

using Clock = std::chrono::steady_clock;
using protocol::kLastWords;
using protocol::kPatience;
using protocol::with_memory_limit;

constexpr double kBeat = 0.1;       // seconds between two signs of life to the supervisor
constexpr double kLoadLimit = 120;  // seconds that a plug-in may take until its process says hello

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

ChildSetup worker_setup(const std::string& name, int ring) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "upcast-plugin-worker";
  if (access(program.c_str(), X_OK) != 0)
    throw UsageError(program.string() + " is missing; build all of upcast (ci/build.sh)");
  return protocol::line_process({program, name, std::to_string(ring)}, {ring});
}

bool is_grid(const Plan& plan) { return plan.source.starts_with("grid "); }

/// The plan as text, from which the child makes the same plan.
std::string plan_text(const Plan& plan) {
  if (is_grid(plan)) return plan.source + " " + plan.selection.text();
  std::string text = fmt::format("cases {}", plan.rows.size());
  for (const GridRow& row : plan.rows) text += "\n" + row.line_template();
  return text;
}

}  // namespace

struct RemotePlugin::Child {
  explicit Child(const std::string& name) : process(worker_setup(name, ring.fd())) {}
  ~Child() { process.end(kPatience); }

  AnswerRing ring;
  LineChild process;
  const Plan* plan = nullptr;  // the plan that the process has; null: none yet
};

RemotePlugin::RemotePlugin(std::string name) : name_(std::move(name)) { start(); }

RemotePlugin::~RemotePlugin() = default;

void RemotePlugin::start() {
  std::optional<std::string> line;
  for (int left = protocol::kStarts; !line;) {
    child_.reset();
    child_ = std::make_unique<Child>(name_);
    line = child_->process.hear(kLoadLimit);
    if (line) break;
    const ExitStatus status = child_->process.end_after_silence(kPatience);
    if (--left > 0 && !status.killed && status.from_outside()) continue;
    const std::string words = last_words(status);
    throw UsageError(fmt::format("{} {} while it was loaded{}", name_,
                                 status.killed ? "did not return" : "died (" + status.text() + ")",
                                 words.empty() ? "" : ": " + words));
  }
  const auto hello = read_json(*line);
  if (!hello.is_object())
    throw UsageError(
        fmt::format("{} does not begin with a greeting: '{}'", name_, beginning(*line)));
  if (const std::string error = hello.at("error"); !error.empty()) throw UsageError(error);
  versions_ = hello.at("versions").get<decltype(versions_)>();
  programs_ = hello.at("programs").get<decltype(programs_)>();
  infers_ = hello.at("infers");
  manifest_ = Manifest::parse(hello.at("manifest").dump());
}

void RemotePlugin::give_plan() {
  const auto hear = [this] { return child_->process.hear(kLoadLimit, watch_.alive); };
  for (int left = protocol::kStarts; child_->plan != plan_;) {
    child_->process.send(plan_text(*plan_));
    std::optional<std::string> line = is_grid(*plan_) ? hear() : std::string(kPlanned);
    while (line && line->empty()) line = hear();  // it was sent for the last block
    if (line == kGoodbye) {
      start();
    } else if (!line && ended_from_outside()) {
      if (--left == 0)
        throw UsageError(fmt::format("{} was ended from outside {} times before its first case: {}",
                                     name_, protocol::kStarts,
                                     child_->process.end_after_silence(kPatience).text()));
      start();
    } else {
      child_->plan = plan_;  // if anything else ended the child, the next answer tells
    }
  }
}

bool RemotePlugin::ended_from_outside() {
  const ExitStatus status = child_->process.end_after_silence(kPatience);
  return !status.timed_out && status.from_outside();
}

void RemotePlugin::announce() {
  give_plan();
  std::string line = fmt::format("block {} {}", next_, end_ - next_);
  for (const std::int64_t index : skipped_) line += fmt::format(" {}", index);
  child_->process.send(line);
}

void RemotePlugin::expect(const Plan& plan, std::int64_t first, std::int64_t count,
                          std::span<const std::int64_t> skipped) {
  plan_ = &plan;
  next_ = first;
  end_ = first + count;
  skipped_ = {skipped.begin(), skipped.end()};
  if (!child_) start();
  announce();
}

void RemotePlugin::answer(const Case& c, Answer& answer) {
  while (skipped_.contains(next_)) ++next_;
  if (next_ >= end_) {
    own_plan_ = plan_of_cases({c}, "cases");
    if (child_) child_->plan = nullptr;
    expect(own_plan_, 0, 1, {});
  }
  if (!child_) {
    start();
    announce();
  }
  try {
    if (!decode_answer(next_message(), answer)) throw DamagedRing();
    answer.detail = visible(answer.detail);
  } catch (const DamagedRing&) {
    ++next_;
    child_.reset();
    throw SideDied{false, "crash(damaged answers)",
                   "it overwrote the memory that it shares with upcast"};
  }
  ++next_;
  kills_ = 0;
}

std::string_view RemotePlugin::next_message() {
  std::string_view message;
  Clock::time_point since;
  bool waits = false;
  while (!child_->ring.read(message)) {
    if (!waits) since = Clock::now();
    waits = true;
    if (!child_->ring.may_sleep()) continue;
    const auto line = child_->process.hear(kBeat);
    if (line == kGoodbye) {
      start();
      announce();
      continue;
    }
    if (!line && !child_->process.is_open()) {
      if (child_->ring.read(message)) break;
      replace();
      waits = false;
    }
    if (watch_.alive) watch_.alive();
    if (waits && seconds_since(since) > watch_.time_limit) replace();
  }
  return message;
}

std::string RemotePlugin::last_words(const ExitStatus& status) {
  if (status.exited_with(kClosedOurDescriptors))
    return "it closed descriptors that upcast had opened";
  return with_memory_limit(child_->process.last_words(kLastWords));
}

void RemotePlugin::replace() {
  if (ended_from_outside() && ++kills_ < kKillsOfACase) {
    start();
    announce();
    return;
  }
  kills_ = 0;
  ++next_;
  const ExitStatus status = child_->process.end_after_silence(kPatience);
  const std::string words = last_words(status);
  child_.reset();
  throw SideDied{status.timed_out, status.text(), status.timed_out ? "" : words};
}

std::optional<std::int64_t> RemotePlugin::bytes_in_use() {
  if (!child_) return std::nullopt;
  child_->process.send("memory");
  while (const auto line = child_->process.hear(watch_.time_limit)) {
    if (*line == kGoodbye) {
      child_.reset();  // it has ended, so the next block needs another one
      break;
    }
    // An empty line only says that the ring has messages to read.
    if (!line->empty()) return std::stoll(*line);
  }
  return std::nullopt;
}

void register_remote_plugin() {
  register_subject("plugin:", [](const Side& side) -> std::unique_ptr<Subject> {
    return std::make_unique<RemotePlugin>(to_string(side));
  });
}

}  // namespace upcast
