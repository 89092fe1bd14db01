#include "tools/sweep/sweep_run.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/notation.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/host/remote_subject.h"
#include "oracle/truth/truth_subject.h"

namespace upcast::tools {
namespace {

using nlohmann::json;
using truth::UlpStatistics;

json to_json(const UlpStatistics& s) {
  return {{"inputs", s.inputs},
          {"undecided", s.undecided},
          {"correctly_rounded", s.correctly_rounded},
          {"misplaced", s.misplaced},
          {"measured", s.measured},
          {"first_misplaced", s.first_misplaced},
          {"max_ulp", s.max_ulp},
          {"worst", s.worst},
          {"sum_ulp", s.sum_ulp},
          {"histogram", s.histogram}};
}

UlpStatistics from_json(const json& j) {
  UlpStatistics s;
  j.at("inputs").get_to(s.inputs);
  j.at("undecided").get_to(s.undecided);
  j.at("correctly_rounded").get_to(s.correctly_rounded);
  j.at("misplaced").get_to(s.misplaced);
  j.at("measured").get_to(s.measured);
  j.at("first_misplaced").get_to(s.first_misplaced);
  j.at("max_ulp").get_to(s.max_ulp);
  j.at("worst").get_to(s.worst);
  j.at("sum_ulp").get_to(s.sum_ulp);
  j.at("histogram").get_to(s.histogram);
  return s;
}

/// The sides that one process can hold: two configurations of LibTorch cannot be in one.
std::vector<std::vector<std::string>> groups_of(const std::vector<std::string>& sides) {
  std::vector<std::vector<std::string>> groups;
  for (const std::string& side : sides) {
    bool placed = false;
    for (auto& group : groups) {
      bool fits = true;
      for (const std::string& member : group) fits = fits && !need_two_processes(side, member);
      if (fits && !placed) {
        group.push_back(side);
        placed = true;
      }
    }
    if (!placed) groups.push_back({side});
  }
  return groups;
}

/// One process: the truth, and some sides.
class ChunkRunner {
 public:
  ChunkRunner(const SweepPlan& plan, const std::vector<std::string>& sides)
      : plan_(plan), names_(sides) {
    for (const std::string& side : sides) sides_.push_back(make_subject(side));
  }

  json run(std::int64_t chunk) {
    const Case c = parse_case(plan_.line(chunk));
    truth_.answer(c, right_);
    if (right_.tag != Answer::Tag::kTensor)
      throw UsageError(
          print_case(c) + ": " +
          (right_.tag == Answer::Tag::kNotJudged ? right_.detail : "our promotion refuses it"));
    json line{{"chunk", chunk}};
    for (std::size_t i = 0; i < sides_.size(); ++i) line["sides"][names_[i]] = side(i, c, chunk);
    return line;
  }

  std::map<std::string, std::string> versions() const {
    std::map<std::string, std::string> all = truth_.versions();
    for (const auto& side : sides_) all.merge(side->versions());
    return all;
  }

 private:
  json side(std::size_t i, const Case& c, std::int64_t chunk) {
    sides_[i]->answer(c, answer_);
    if (answer_.tag != Answer::Tag::kTensor)
      throw UsageError(
          fmt::format("{} does not answer {}: {}", names_[i], print_case(c), to_text(answer_)));
    if (answer_.dtype != right_.dtype || answer_.sizes != right_.sizes)
      throw UsageError(
          fmt::format("{} answers {} to {}, with another dtype or shape than the truth", names_[i],
                      name(answer_.dtype), print_case(c)));
    const std::size_t n = answer_.bytes.size() / itemsize(answer_.dtype);
    values_.resize(n);
    cast_elements(answer_.dtype, answer_.bytes.data(), DType::kFloat64,
                  reinterpret_cast<std::byte*>(values_.data()), static_cast<std::int64_t>(n));
    UlpStatistics statistics;
    measure(answer_.dtype, values_, truth_.exact(),
            static_cast<std::uint64_t>(chunk * plan_.chunk_inputs), statistics);
    return to_json(statistics);
  }

  const SweepPlan& plan_;
  std::vector<std::string> names_;
  TruthSubject truth_;
  std::vector<std::unique_ptr<Subject>> sides_;
  Answer right_, answer_;
  std::vector<double> values_;
};

/// Chunks that a file holds, with their results. A line that was cut off is run again.
class ChunkFile {
 public:
  ChunkFile(const std::string& path, const json& header) : path_(path) {
    if (path.empty()) return;
    std::ifstream in(path);
    std::string line;
    if (std::getline(in, line)) {
      const json found = json::parse(line, nullptr, false);
      if (found != header)
        throw UsageError(path + " holds another sweep (" + line.substr(0, 120) +
                         "): name another file, or delete it");
      while (std::getline(in, line)) {
        json chunk = json::parse(line, nullptr, false);
        if (!chunk.is_discarded()) chunks_.push_back(std::move(chunk));
      }
      in.close();
      rewrite(header);
    } else {
      in.close();
      rewrite(header);
    }
  }
  const std::vector<json>& chunks() const { return chunks_; }
  void add(const std::string& line) {
    if (path_.empty()) return;
    file_ << line << '\n' << std::flush;
    if (!file_) throw UsageError("cannot write " + path_ + ": is the disk full?");
  }

 private:
  /// Whole lines only, so that what follows starts on a line of its own.
  void rewrite(const json& header) {
    const std::string fresh = path_ + ".new";
    std::ofstream out(fresh);
    out << header.dump() << '\n';
    for (const json& chunk : chunks_) out << chunk.dump() << '\n';
    out.close();
    if (!out || std::rename(fresh.c_str(), path_.c_str()) != 0)
      throw UsageError("cannot write " + path_ + ": is the folder there, and writable?");
    file_.open(path_, std::ios::app);
  }

  std::string path_;
  std::ofstream file_;
  std::vector<json> chunks_;
};

/// A child process that runs every jobs-th of some chunks and writes a JSON line for each.
struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::string rest;
};

Child start_child(const SweepOptions& options, const std::vector<std::string>& sides,
                  const std::vector<std::int64_t>& chunks, std::size_t job) {
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
    ChunkRunner runner(options.plan, sides);
    fmt::print(out, "{}\n", json{{"versions", runner.versions()}}.dump());
    for (std::size_t i = job; i < chunks.size(); i += static_cast<std::size_t>(options.jobs)) {
      fmt::print(out, "{}\n", runner.run(chunks[i]).dump());
      std::fflush(out);
    }
  } catch (const std::exception& error) {
    fmt::print(out, "{}\n", json{{"error", error.what()}}.dump());
  }
  std::fclose(out);
  std::_Exit(0);  // LibTorch's destructors take their time
}

class Sweep {
 public:
  Sweep(const SweepOptions& options, const std::function<void(SweepProgress)>& show)
      : options_(options),
        show_(show),
        file_(options.out, {{"sweep", options.plan.line(0)}, {"chunks", options.plan.chunks}}) {
    for (std::int64_t chunk = options.shard; chunk < options.plan.chunks; chunk += options.shards)
      mine_.push_back(chunk);
    outcome_.progress.planned = static_cast<std::int64_t>(mine_.size() * options.sides.size());
    for (const json& line : file_.chunks()) take(line);
  }

  SweepOutcome run() {
    for (const auto& group : groups_of(options_.sides)) {
      std::vector<std::int64_t> left;
      for (const std::int64_t chunk : mine_)
        if (!done_.contains({group.front(), chunk})) left.push_back(chunk);
      if (!left.empty()) run_group(group, left);
    }
    return outcome_;
  }

 private:
  void take(const json& line) {
    const auto chunk = line.at("chunk").get<std::int64_t>();
    for (const auto& [side, statistics] : line.at("sides").items()) {
      const bool wanted =
          std::find(options_.sides.begin(), options_.sides.end(), side) != options_.sides.end() &&
          chunk % options_.shards == options_.shard;
      if (!wanted || !done_.insert({side, chunk}).second) continue;
      outcome_.sides[side].merge(from_json(statistics));
      ++outcome_.progress.done;
    }
  }

  void run_group(const std::vector<std::string>& sides, const std::vector<std::int64_t>& chunks) {
    std::vector<Child> children;
    for (int job = 0; job < options_.jobs; ++job)
      children.push_back(start_child(options_, sides, chunks, static_cast<std::size_t>(job)));
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
        take(line);
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
  const std::function<void(SweepProgress)>& show_;
  ChunkFile file_;
  std::vector<std::int64_t> mine_;
  std::set<std::pair<std::string, std::int64_t>> done_;
  SweepOutcome outcome_;
};

}  // namespace

SweepOutcome run_sweep(const SweepOptions& options,
                       const std::function<void(SweepProgress)>& show) {
  return Sweep(options, show).run();
}

}  // namespace upcast::tools
