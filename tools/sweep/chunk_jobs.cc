#include "tools/sweep/chunk_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>

#include "impl/core/error.h"
#include "oracle/process/message_child.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

/// A process that runs `chunks` in order, and writes a line of JSON with the results of each.
ChildSetup chunk_process(const WorkGroup& group, const std::vector<std::int64_t>& chunks) {
  const auto run = [&](int socket) {
    std::FILE* out = fdopen(socket, "w");
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
    return 0;
  };
  return {.body = run, .talk = Talk::kSocket, .interrupt = Interrupt::kShared};
}

/// Passes statistics on to `take`, once for each chunk and side, even if they come twice.
class ChunkTaker {
 public:
  ChunkTaker(const std::vector<std::string>& sides, const TakeStatistics& take)
      : sides_(sides.begin(), sides.end()), take_(take) {}

  std::size_t sides() const { return sides_.size(); }

  /// Passes on the statistics in a line of JSON. Returns how many were new.
  std::int64_t take(const json& line) try {
    const auto chunk = line.at("chunk").get<std::int64_t>();
    std::int64_t taken = 0;
    for (const auto& [side, statistics] : line.at("sides").items()) {
      if (!sides_.contains(side) || !done_.insert({side, chunk}).second) continue;
      take_(side, statistics);
      ++taken;
    }
    return taken;
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("a chunk of the sweep is damaged: {}", error.what()));
  }

  bool has(std::int64_t chunk) const {
    return std::all_of(sides_.begin(), sides_.end(), [&](const std::string& side) {
      return done_.contains({side, chunk});
    });
  }

 private:
  std::set<std::string> sides_;
  std::set<std::pair<std::string, std::int64_t>> done_;
  const TakeStatistics& take_;
};

json header_of(const SweepPlan& plan, const std::string& kind,
               const std::vector<std::string>& sides) {
  return {{"sweep", plan.line(0)},
          {"plan", plan_json(plan)},
          {"kind", kind},
          {"sides", std::set<std::string>(sides.begin(), sides.end())}};
}

class Jobs {
 public:
  Jobs(const SweepOptions& options, const std::string& kind, const WorkGroup& group,
       const TakeStatistics& take, const ShowProgress& show)
      : options_(options),
        group_(group),
        show_(show),
        file_(options.out, header_of(options.plan, kind, group.sides)),
        taker_(group.sides, take) {
    const Shard& shard = options.shard;
    for (std::int64_t chunk = shard.index; chunk < options.plan.chunks; chunk += shard.count)
      mine_.push_back(chunk);
    outcome_.progress.planned = static_cast<std::int64_t>(mine_.size() * taker_.sides());
    for (const json& line : file_.chunks())
      if (shard.owns(line.at("chunk").get<std::int64_t>())) take_line(line);
  }

  JobsOutcome run() {
    std::vector<std::int64_t> left;
    for (const std::int64_t chunk : mine_)
      if (!taker_.has(chunk)) left.push_back(chunk);
    if (!left.empty()) run_left(left);
    outcome_.versions = file_.versions();
    return outcome_;
  }

 private:
  void take_line(const json& line) { outcome_.progress.done += taker_.take(line); }

  void run_left(const std::vector<std::int64_t>& chunks) {
    // Deals the chunks out to the processes in turn, so that all advance equally.
    std::vector<std::vector<std::int64_t>> shares(static_cast<std::size_t>(options_.jobs));
    for (std::size_t i = 0; i < chunks.size(); ++i) shares[i % shares.size()].push_back(chunks[i]);
    std::vector<std::unique_ptr<LineChild>> open;
    for (const auto& share : shares)
      if (!share.empty()) open.push_back(std::make_unique<LineChild>(chunk_process(group_, share)));
    std::string error;
    while (!open.empty()) {
      std::vector<Child*> children;
      for (const auto& process : open) children.push_back(process.get());
      wait_for_any(children, 0.2);
      for (const auto& process : open)
        while (const auto line = process->next()) read_line(*line, error);
      std::erase_if(open, [&](const auto& process) {
        if (process->is_open()) return false;
        const ExitStatus status = process->wait();
        if (error.empty() && status.signal != 0)
          error = "a process of the sweep died: " + status.text() +
                  "; the same command resumes where it stopped, if it has --out";
        return true;
      });
      show_(outcome_.progress);
    }
    if (!error.empty()) throw UsageError(error);
  }

  void read_line(const std::string& text, std::string& error) {
    const json line = json::parse(text);
    if (line.contains("error")) {
      error = line["error"];
    } else if (line.contains("versions")) {
      file_.add_versions(line["versions"].get<SweepVersions>());
    } else {
      take_line(line);
      file_.add(text);
    }
  }

  const SweepOptions& options_;
  const WorkGroup& group_;
  const ShowProgress& show_;
  ChunkFile file_;
  ChunkTaker taker_;
  std::vector<std::int64_t> mine_;
  JobsOutcome outcome_;
};

}  // namespace

JobsOutcome run_chunks(const SweepOptions& options, const std::string& kind, const WorkGroup& group,
                       const TakeStatistics& take, const ShowProgress& show) {
  return Jobs(options, kind, group, take, show).run();
}

SweepParts read_sweep_parts(const std::vector<std::string>& files) {
  SweepParts parts;
  json header;
  for (const std::string& file : files) {
    std::optional<ChunkLines> lines = read_chunk_lines(file);
    if (!lines) throw UsageError(file + " holds no sweep");
    if (header.is_null()) header = lines->header;
    if (lines->header != header)
      throw UsageError(fmt::format("{} holds another sweep ({}) than {} ({})", file,
                                   sweep_text(lines->header), files.front(), sweep_text(header)));
    add_versions(lines->versions, file, parts.versions);
    std::move(lines->chunks.begin(), lines->chunks.end(), std::back_inserter(parts.chunks));
  }
  try {
    parts.options.plan = read_plan(header.at("plan"));
    parts.options.sides = header.at("sides").get<std::vector<std::string>>();
    parts.kind = header.at("kind");
  } catch (const json::exception& error) {
    throw UsageError(
        fmt::format("{}: the header is not one of a sweep: {}", files.front(), error.what()));
  }
  return parts;
}

SweepProgress take_parts(const SweepParts& parts, const TakeStatistics& take) {
  ChunkTaker taker(parts.options.sides, take);
  SweepProgress progress;
  progress.planned = parts.options.plan.chunks * static_cast<std::int64_t>(taker.sides());
  for (const json& line : parts.chunks) progress.done += taker.take(line);
  return progress;
}

}  // namespace upcast::tools
