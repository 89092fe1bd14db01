// upcast-measure-findings: measures what cases/measured_findings.json says of each bug: its
// strongest case, how bad it is, and how far it reaches.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "cases/text_file.h"
#include "fuzz/findings/strongest.h"
#include "fuzz/findings/version_answer.h"
#include "impl/core/capability.h"
#include "impl/core/error.h"
#include "oracle/version_range.h"
#include "tools/findings/findings_options.h"
#include "tools/findings/measured_json.h"
#include "tools/known_file.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string id;
  std::string out = "-";
  std::string check;
  std::vector<std::string> versions;
} options;

/// The findings that the output file holds so far, by id; empty if there is no file yet.
Json earlier(const std::string& file) {
  Json by_id = Json::object();
  if (!std::filesystem::exists(file)) return by_id;
  const Json whole = Json::parse(read_text_file(file));
  for (const Json& each : whole.at("findings")) by_id[each.at("id").get<std::string>()] = each;
  return by_id;
}

/// The known differences to measure: LibTorch's bugs, or the one that --id names. Throws UsageError
/// if there is none.
std::vector<KnownDifference> asked_entries(const KnownFile& known) {
  std::vector<KnownDifference> asked;
  for (const KnownDifference& entry : without_frameworks(known.differences)) {
    const bool is_ours =
        parse_side(entry.subject.empty() ? "libtorch:cpu" : entry.subject).vendor ==
        Vendor::kUpcast;
    if (entry.difference_class != "bug" || is_ours) continue;
    if (options.id.empty() || options.id == entry.id) asked.push_back(entry);
  }
  if (asked.empty()) throw UsageError("no known bug of LibTorch is called " + options.id);
  return asked;
}

/// The data for programs that show the strongest case of a known difference, with the exact value
/// if it is known.
fuzz::Reproducible reproducible_of(const KnownDifference& entry, const fuzz::Reach& reach,
                                   fuzz::PathExaminers& paths, double time_limit) {
  fuzz::Reproducible made =
      reproducible(reach.strongest, paths.at(reach.path), time_limit, sides_of(reach.path).wrong);
  made.reason = entry.reason;
  made.witness = entry.witness_text();
  made.python = entry.python;
  const std::string truth = truth_text(made.c, time_limit);
  if (truth.ends_with(fuzz::kCorrectlyRounded)) made.truth = truth;
  return made;
}

Json row_of(const KnownDifference& entry, const fuzz::Reach& reach, const fuzz::Reproducible& made,
            const Json& before, fuzz::PathExaminers& paths) {
  const ShortPrograms programs{fuzz::short_python(made), fuzz::short_cpp(made)};
  const std::string exact = made.truth.substr(
      0, made.truth.size() - std::min(made.truth.size(), fuzz::kCorrectlyRounded.size()));
  Json row = measured_json(entry, reach, exact.empty() ? plain_text(made.right) : exact, programs);
  row["versions"] = before.contains(entry.id) ? before.at(entry.id).at("versions") : Json::object();
  row["versions"][paths.at(reach.path).libtorch_version()] = name(VersionAnswer::kShows);
  for (const std::string& version : options.versions) {
    const fuzz::Finding there = paths.at(reach.path, version).examine(reach.strongest.c);
    row["versions"][version] = name(fuzz::version_answer(
        reach.strongest, there, paths.at(reach.path).sides(), fuzz::sides_of(reach.path).wrong));
  }
  return row;
}

int compare(const Json& made, const std::string& file) {
  const Json before = earlier(file);
  int stale = 0;
  for (const Json& each : made) {
    const std::string id = each.at("id");
    if (before.contains(id) && before.at(id) == each) continue;
    ++stale;
    fmt::print("{} is out of date in {}:\n{}\n", id, file,
               before.contains(id) ? Json::diff(before.at(id), each).dump(2) : each.dump(2));
  }
  const bool is_whole = options.id.empty();
  std::vector<std::string> ids, ids_before;
  for (const Json& each : made) ids.push_back(each.at("id"));
  for (const auto& [id, each] : before.items()) ids_before.push_back(id);
  if (is_whole && stale == 0 && ids != ids_before) {
    ++stale;
    fmt::print("{} lists other findings, or another order; the worst comes first\n", file);
  }
  fmt::print("{} measured, {} out of date\n", counted(std::ssize(made), "finding"), stale);
  return stale == 0 ? 0 : 1;
}

int run(const FindingsOptions& findings) {
  if (best_capability() < Capability::kV3) {
    fmt::print("this machine has no AVX2, so nothing is measured on it\n");
    return 77;
  }
  const KnownFile known = load_known_file(findings.known_file);
  fuzz::PathExaminers paths(findings.time_limit, known.differences);
  SettingsFinder settings(findings.time_limit);
  const Json before = earlier(options.check.empty() ? options.out : options.check);
  std::vector<Json> rows;
  for (const KnownDifference& entry : asked_entries(known)) {
    const fuzz::Reach reach = fuzz::reach_of(entry, paths);
    fuzz::Reproducible made = reproducible_of(entry, reach, paths, findings.time_limit);
    settings.find(made);
    rows.push_back(row_of(entry, reach, made, before, paths));
    fmt::print(stderr, "{:<60} {}\n", entry.id, rows.back().at("severity").get<std::string>());
  }
  std::stable_sort(rows.begin(), rows.end(), is_worse);
  if (!options.check.empty()) return compare(Json(rows), options.check);
  std::string lines;  // one line for each finding, so that a diff shows changes
  for (const Json& row : rows) lines += (lines.empty() ? "" : ",\n") + dump_json(row, -1);
  write_output(options.out, fmt::format("{{\"$schema\": \"{}\", \"findings\": [\n",
                                        json_schemas::kMeasuredFindings) +
                                lines + "\n]}\n");
  return 0;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using upcast::tools::options;
  upcast::tools::FindingsOptions findings;
  findings.time_limit = 1;
  CLI::App app{"The strongest case of each known difference, how bad it is, how far it reaches"};
  app.add_option("--id", options.id, "This entry only");
  app.add_option("--out", options.out, "A file; - is standard output")->capture_default_str();
  app.add_option("--check", options.check, "Report what is out of date in this file");
  app.add_option("--version", options.versions,
                 "Another LibTorch to ask too, such as 2.14.1 (ci/libtorch_version.sh)");
  app.add_option("--known", findings.known_file, "Known differences (default: those built in)");
  app.add_option("--time-limit", findings.time_limit, "Seconds that a side may take for one case")
      ->capture_default_str();
  return upcast::tools::findings_main(app, findings, argc, argv, &upcast::tools::run);
}
