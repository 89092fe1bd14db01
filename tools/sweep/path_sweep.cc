#include "tools/sweep/path_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "impl/core/error.h"
#include "tools/sweep/side_source.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

/// The work of one process of a sweep of paths: it compares each path with the reference.
class PathWork : public ChunkWork {
 public:
  PathWork(const SweepPlan& plan, const std::vector<Path>& paths,
           std::span<const std::int64_t> chunks)
      : plan_(plan), paths_(paths) {
    std::vector<SweptSide> sides;
    for (const Path& path : paths)
      sides.push_back({parse_side(path.side), path.layout.notation, path.name()});
    sources_ = open_sides(plan, sides, chunks);
  }

  json run(std::int64_t chunk) override {
    const SideAnswer reference = sources_.front()->answer(chunk);
    json found = json::object();
    for (std::size_t i = 1; i < paths_.size(); ++i) {
      const SideAnswer other = sources_[i]->answer(chunk);
      if (other.dtype != reference.dtype || other.bytes.size() != reference.bytes.size())
        throw UsageError(fmt::format("{}: {} answers {} bytes of {}, {} answers {} of {}",
                                     plan_.line(chunk), paths_.front().name(),
                                     reference.bytes.size(), name(reference.dtype),
                                     paths_[i].name(), other.bytes.size(), name(other.dtype)));
      PathStatistics statistics;
      if (reference.dtype == DType::kUndefined)
        statistics.inputs = plan_.chunk_inputs;  // both refuse
      else
        compare_paths(reference.dtype, reference.bytes, other.bytes,
                      static_cast<std::uint64_t>(chunk * plan_.chunk_inputs), statistics);
      found[paths_[i].name()] = statistics;
    }
    return found;
  }

  std::map<std::string, std::string> versions() const override {
    std::map<std::string, std::string> all;
    for (const auto& source : sources_) all.merge(source->versions());
    return all;
  }

 private:
  const SweepPlan& plan_;
  const std::vector<Path>& paths_;
  std::vector<std::unique_ptr<SideSource>> sources_;
};

}  // namespace

const std::vector<PathLayout>& path_layouts() {
  static const std::vector<PathLayout> kLayouts{
      {"strided", ":strides(2)"},  // every second element, which vector loads cannot read
      {"shifted", ":offset(1)"},   // begins at the second element, so that loads are not aligned
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
  return run_and_merge<PathStatistics>(options, std::string(kPathsOf) + paths.front().name(), group,
                                       show);
}

}  // namespace upcast::tools
