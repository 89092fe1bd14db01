// upcast-fuzz: runs and merges fuzzing campaigns. `upcast fuzz` starts it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "cases/suggest.h"
#include "fuzz/target_sides.h"
#include "impl/core/error.h"
#include "oracle/side.h"
#include "tools/command_line.h"
#include "tools/fuzz/campaign_output.h"
#include "tools/fuzz/follow_up.h"
#include "tools/fuzz/merge_campaigns.h"
#include "tools/paths.h"

namespace upcast::tools {
namespace {

struct TargetRow {
  std::string_view name, about;
};

constexpr std::array<TargetRow, 7> kTargets{{
    {"elementwise", "one call compared with LibTorch, and with our other ways to compute it"},
    {"chain", "up to six calls that take one another's results, and what they change in memory"},
    {"iterator", "shapes, strides and refusals, compared with LibTorch's meta device"},
    {"kernel", "the GPU's kernels, run on the host, compared with the CPU's"},
    {"promotion",
     "result_type of up to six operands; rule books compared with the libraries' tables"},
    {"notation", "text that is read as a case line"},
    {"store", "files from outside: case files, known differences, rule books, damaged run stores"},
}};

/// The path of a target's engine: in the folder $UPCAST_FUZZ_BIN, else next to this program.
/// Engines of the preset fuzz, which are also guided by our code's branches, are in
/// build/libfuzzer/bin. Throws UsageError.
std::string find_engine(const std::string& target) {
  namespace fs = std::filesystem;
  const std::string name = "fuzz-" + target;
  if (const char* folder = std::getenv("UPCAST_FUZZ_BIN")) {
    const std::string engine = std::string(folder) + "/" + name;
    if (!fs::exists(engine)) throw UsageError("UPCAST_FUZZ_BIN has no " + engine);
    return engine;
  }
  const bool needs_libtorch = target != "notation" && target != "store";
  if (has_sibling(name)) return needs_libtorch ? libtorch_program(name) : sibling_program(name);
  throw UsageError(
      "there is no engine for the target " + target +
      ": this build found no libFuzzer; install clang and libclang-rt-14-dev, and build again");
}

/// Whether a side is a process or a framework, which the engines of targets cannot ask.
bool is_process(const std::string& side) {
  if (side.empty()) return false;
  const Vendor vendor = parse_side(side).vendor;
  return vendor == Vendor::kProcess || vendor == Vendor::kPython;
}

/// Whether the subject is a process, and the target is chain. Then upcast-fuzz-chains runs the
/// campaign: it gives whole chains to the subject, and needs no engine.
bool asks_whole_chains(const CampaignOptions& options) {
  return options.target == "chain" && is_process(options.subject);
}

void check_target(const CampaignOptions& options) {
  std::vector<std::string_view> names;
  for (const TargetRow& row : kTargets) names.push_back(row.name);
  if (std::find(names.begin(), names.end(), options.target) == names.end())
    throw UsageError(fmt::format("there is no target '{}'{}; there are {}", options.target,
                                 did_you_mean(options.target, names), fmt::join(names, ", ")));
  if (fuzz::sides_of_target(options.target) == nullptr &&
      !(options.subject.empty() && options.oracle.empty()))
    throw UsageError("the target " + options.target +
                     " has no sides to choose: leave --subject and --oracle out");
  if (options.target != "chain" && is_process(options.subject))
    throw UsageError(fmt::format(
        "the target {} cannot ask the subject '{}', which is another process; --target chain can",
        options.target, options.subject));
}

[[noreturn]] void fuzz_whole_chains(char** argv) {
  const std::string program = libtorch_program("upcast-fuzz-chains");
  argv[0] = const_cast<char*>(program.c_str());
  execv(program.c_str(), argv);
  throw UsageError("cannot start " + program);
}

/// Merges the campaigns that --merge names into one, and prints it. Returns the exit code.
int merge(FuzzFlags& flags) {
  CampaignOptions& options = flags.campaign;
  if (options.corpus.empty()) throw UsageError("--merge needs a new --corpus for the whole");
  settle(options);
  const std::vector<CampaignParts> parts = read_parts(flags.merged, options);
  check_target(options);
  options.engine = find_engine(options.target);
  CampaignState state = merge_campaigns(parts, options);
  follow_up(options, state);
  return tell_campaign(options, state, flags.json_out);
}

int fuzz(FuzzFlags& flags, char** argv) {
  CampaignOptions& options = flags.campaign;
  options.guard = !flags.no_guard;
  if (flags.list) {
    if (!flags.json_out.empty()) throw UsageError("--json is for a campaign, --list is a text");
    for (const TargetRow& row : kTargets) fmt::print("{:<12} {}\n", row.name, row.about);
    return 0;
  }
  if (!flags.merged.empty()) return merge(flags);
  check_target(options);
  if (asks_whole_chains(options)) fuzz_whole_chains(argv);
  if (!flags.replay.empty())
    throw UsageError(
        "--replay is for chains of a process: --target chain --subject 'python:torch?via=compile'");
  options.engine = find_engine(options.target);
  settle(options);
  CampaignState state =
      show_progress([&](const ShowCampaign& show) { return run_campaign(options, show); });
  if (!state.interrupted) follow_up(options, state);
  return tell_campaign(options, state, flags.json_out);
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  FuzzFlags flags;
  CLI::App app("Coverage-guided campaigns against LibTorch", "upcast fuzz");
  add_fuzz_flags(app, flags);
  return run_command_line(app, argc, argv, [&] { return fuzz(flags, argv); });
}
