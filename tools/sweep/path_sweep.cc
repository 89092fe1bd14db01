#include "tools/sweep/path_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/remote_subject.h"
#include "oracle/subject.h"
#include "tools/sweep/side_process.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestElement = 16;

/// A path in this process.
class LocalPath {
 public:
  LocalPath(const SweepPlan& plan, const Path& path)
      : plan_(plan), path_(path), subject_(make_subject(path.side)) {}

  SideAnswer answer(std::int64_t chunk) {
    const Case c = parse_case(plan_.line(chunk, path_.layout.notation));
    subject_->answer(c, answer_);
    if (answer_.tag != Answer::Tag::kTensor)
      throw UsageError(
          fmt::format("{} does not answer {}: {}", path_.name(), print_case(c), to_text(answer_)));
    if (!answer_.further.empty())
      throw UsageError(print_case(c) + " has two results: a sweep compares one");
    return {answer_.dtype, answer_.bytes};
  }
  std::map<std::string, std::string> versions() const { return subject_->versions(); }

 private:
  const SweepPlan& plan_;
  Path path_;
  std::unique_ptr<Subject> subject_;
  Answer answer_;
};

/// Paths that this process can hold, and others in processes of their own.
class PathWork : public ChunkWork {
 public:
  PathWork(const SweepPlan& plan, const std::vector<Path>& paths,
           std::span<const std::int64_t> chunks)
      : plan_(plan), paths_(paths) {
    const std::string& here = paths.front().side;
    sources_.resize(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!need_two_processes(here, paths[i].side)) continue;
      const auto start = [&plan, path = paths[i]] {
        const auto local = std::make_shared<LocalPath>(plan, path);
        return SideProcess::Started{[local](std::int64_t chunk) { return local->answer(chunk); },
                                    local->versions()};
      };
      const auto capacity = static_cast<std::size_t>(plan.chunk_inputs) * kLargestElement;
      sources_[i].remote = std::make_unique<SideProcess>(start, chunks, capacity);
    }
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (!sources_[i].remote) sources_[i].local = std::make_unique<LocalPath>(plan, paths[i]);
  }

  json run(std::int64_t chunk) override {
    const SideAnswer reference = sources_.front().answer(chunk);
    const auto first = static_cast<std::uint64_t>(chunk * plan_.chunk_inputs);
    json found = json::object();
    for (std::size_t i = 1; i < paths_.size(); ++i) {
      const SideAnswer other = sources_[i].answer(chunk);
      if (other.dtype != reference.dtype || other.bytes.size() != reference.bytes.size())
        throw UsageError(fmt::format("{} answers {} of {}, {} answers {} of {}",
                                     paths_.front().name(), reference.bytes.size(),
                                     name(reference.dtype), paths_[i].name(), other.bytes.size(),
                                     name(other.dtype)));
      PathStatistics statistics;
      compare_paths(reference.dtype, reference.bytes, other.bytes, first, statistics);
      found[paths_[i].name()] = statistics_json(statistics);
    }
    return found;
  }

  std::map<std::string, std::string> versions() const override {
    std::map<std::string, std::string> all;
    for (const Source& source : sources_)
      all.merge(source.local ? source.local->versions() : source.remote->versions());
    return all;
  }

 private:
  struct Source {
    std::unique_ptr<LocalPath> local;
    std::unique_ptr<SideProcess> remote;
    SideAnswer answer(std::int64_t chunk) const {
      return local ? local->answer(chunk) : remote->next();
    }
  };

  const SweepPlan& plan_;
  const std::vector<Path>& paths_;
  std::vector<Source> sources_;
};

}  // namespace

const std::vector<PathLayout>& path_layouts() {
  static const std::vector<PathLayout> kLayouts{
      {"strided", ":strides(2)"},  // every second element: no vector loads
      {"shifted", ":offset(1)"},   // by one element: no aligned loads
  };
  return kLayouts;
}

std::string Path::name() const {
  return layout.name.empty() ? side : fmt::format("{} {}", side, layout.name);
}

std::vector<Path> paths_of(const std::vector<std::string>& sides,
                           const std::vector<std::string>& layouts) {
  std::vector<Path> paths{{sides.front(), {}}};
  std::string known;
  for (const PathLayout& layout : path_layouts())
    known += (known.empty() ? "" : ", ") + std::string(layout.name);
  for (const std::string& wanted : layouts) {
    if (wanted == "dense") continue;
    const auto found =
        std::find_if(path_layouts().begin(), path_layouts().end(),
                     [&](const PathLayout& layout) { return layout.name == wanted; });
    if (found == path_layouts().end())
      throw UsageError(fmt::format("--layout is one of dense, {}, not '{}'", known, wanted));
    paths.push_back({sides.front(), *found});
  }
  for (std::size_t i = 1; i < sides.size(); ++i) paths.push_back({sides[i], {}});
  if (paths.size() == 1)
    throw UsageError("nothing to compare: name a second --side, or a --layout (" + known + ")");
  return paths;
}

SweepOutcome<PathStatistics> run_path_sweep(const SweepOptions& options,
                                            const std::vector<Path>& paths,
                                            const ShowProgress& show) {
  WorkGroup group;
  for (std::size_t i = 1; i < paths.size(); ++i) group.sides.push_back(paths[i].name());
  group.start = [&](std::span<const std::int64_t> chunks) {
    return std::make_unique<PathWork>(options.plan, paths, chunks);
  };
  return run_and_merge(options, "paths of " + paths.front().side, {group}, &read_path_statistics,
                       show);
}

}  // namespace upcast::tools
