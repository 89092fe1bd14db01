#include "tools/sweep/chunk_jobs.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "impl/core/error.h"
#include "tools/sweep/chunk_file.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

/// A process that runs some chunks and writes a JSON line for each.
struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::string rest;
};

Child start_child(const WorkGroup& group, std::span<const std::int64_t> chunks) {
  int ends[2];
  if (pipe(ends) != 0) throw UsageError("cannot make a pipe for a sweep's process");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw UsageError("cannot start a sweep's process");
  if (pid > 0) {
    close(ends[1]);
    return {.pid = pid, .pipe = ends[0], .rest = ""};
  }
  close(ends[0]);
  std::FILE* out = fdopen(ends[1], "w");
  try {
    const std::unique_ptr<ChunkWork> work = group.start(chunks);
    fmt::print(out, "{}\n", json{{"versions", work->versions()}}.dump());
    for (const std::int64_t chunk : chunks) {
      fmt::print(out, "{}\n", json{{"chunk", chunk}, {"sides", work->run(chunk)}}.dump());
      std::fflush(out);
    }
  } catch (const std::exception& error) {
    fmt::print(out, "{}\n", json{{"error", error.what()}}.dump());
  }
  std::fclose(out);
  std::_Exit(0);  // LibTorch's destructors take their time
}

class Jobs {
 public:
  using Take = std::function<void(const std::string& side, const json& statistics)>;

  Jobs(const SweepOptions& options, const std::string& kind, const WorkGroup& group,
       const Take& take, const ShowProgress& show)
      : options_(options),
        group_(group),
        take_(take),
        show_(show),
        file_(options.out,
              {{"sweep", options.plan.line(0)}, {"chunks", options.plan.chunks}, {"kind", kind}}) {
    for (std::int64_t chunk = options.shard; chunk < options.plan.chunks; chunk += options.shards)
      mine_.push_back(chunk);
    sides_.insert(group.sides.begin(), group.sides.end());
    outcome_.progress.planned = static_cast<std::int64_t>(mine_.size() * sides_.size());
    for (const json& line : file_.chunks()) take_line(line);
  }

  JobsOutcome run() {
    std::vector<std::int64_t> left;
    for (const std::int64_t chunk : mine_)
      if (!is_done(chunk)) left.push_back(chunk);
    if (!left.empty()) run_left(left);
    return outcome_;
  }

 private:
  void take_line(const json& line) {
    const auto chunk = line.at("chunk").get<std::int64_t>();
    if (chunk % options_.shards != options_.shard) return;
    for (const auto& [side, statistics] : line.at("sides").items()) {
      if (!sides_.contains(side) || !done_.insert({side, chunk}).second) continue;
      take_(side, statistics);
      ++outcome_.progress.done;
    }
  }

  bool is_done(std::int64_t chunk) const {
    return std::all_of(sides_.begin(), sides_.end(), [&](const std::string& side) {
      return done_.contains({side, chunk});
    });
  }

  void run_left(const std::vector<std::int64_t>& chunks) {
    // chunks in turn, so that all are equally far
    std::vector<std::vector<std::int64_t>> shares(static_cast<std::size_t>(options_.jobs));
    for (std::size_t i = 0; i < chunks.size(); ++i) shares[i % shares.size()].push_back(chunks[i]);
    std::vector<Child> children;
    for (const auto& share : shares)
      if (!share.empty()) children.push_back(start_child(group_, share));
    std::string error;
    std::size_t open = children.size();
    while (open > 0) {
      std::vector<pollfd> fds;
      for (const Child& child : children) fds.push_back({child.pipe, POLLIN, 0});
      poll(fds.data(), fds.size(), 200);
      for (std::size_t i = 0; i < children.size(); ++i)
        if (children[i].pipe >= 0 && fds[i].revents != 0 && !read_lines(children[i], error)) {
          close(children[i].pipe);
          children[i].pipe = -1;
          --open;
          const std::string end = end_of(children[i].pid);
          if (error.empty()) error = end;
        }
      show_(outcome_.progress);
    }
    if (!error.empty()) throw UsageError(error);
  }

  /// False at the end of the child's output.
  bool read_lines(Child& child, std::string& error) {
    char buffer[65536];
    const ssize_t n = read(child.pipe, buffer, sizeof buffer);
    if (n <= 0) return false;
    child.rest.append(buffer, static_cast<std::size_t>(n));
    for (std::size_t end; (end = child.rest.find('\n')) != std::string::npos;) {
      const std::string text = child.rest.substr(0, end);
      child.rest.erase(0, end + 1);
      const json line = json::parse(text);
      if (line.contains("error")) {
        error = line["error"];
      } else if (line.contains("versions")) {
        for (const auto& [key, version] : line["versions"].items())
          outcome_.versions[key] = version;
      } else {
        take_line(line);
        file_.add(text);
      }
    }
    return true;
  }

  static std::string end_of(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
      return fmt::format(
          "a process of the sweep died ({}); the same command goes on where it stopped, "
          "if it has --out",
          strsignal(WTERMSIG(status)));
    return "";
  }

  const SweepOptions& options_;
  const WorkGroup& group_;
  const Take& take_;
  const ShowProgress& show_;
  ChunkFile file_;
  std::vector<std::int64_t> mine_;
  std::set<std::string> sides_;
  std::set<std::pair<std::string, std::int64_t>> done_;
  JobsOutcome outcome_;
};

}  // namespace

JobsOutcome run_chunks(
    const SweepOptions& options, const std::string& kind, const WorkGroup& group,
    const std::function<void(const std::string& side, const json& statistics)>& take,
    const ShowProgress& show) {
  return Jobs(options, kind, group, take, show).run();
}

}  // namespace upcast::tools
