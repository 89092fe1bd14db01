#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/suggest.h"
#include "impl/core/error.h"
#include "reports/outputs/finding_words.h"
#include "reports/outputs/issue_markdown.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/explanation_text.h"
#include "tools/known_file.h"
#include "tools/measured_file.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using reports::ReportFinding;

struct FindingsCommandOptions {
  std::string action, name;
  std::string severity, op, side;
  std::string difference_class = "bug";
  std::string out, json;
  bool all = false;
};

/// A declared difference, as `upcast findings` lists it. Only a bug of LibTorch has measurements.
struct Row {
  KnownDifference entry;
  std::optional<MeasuredFinding> measured;

  std::string severity() const {
    return measured ? std::string(name(measured->severity)) : "not measured";
  }
  std::string side() const { return entry.subject.empty() ? "libtorch:cpu" : entry.subject; }
  std::string case_line() const { return measured ? measured->case_line : entry.case_line; }
};

/// All declared differences: first those with measurements, the worst first; then the others, in
/// the order of the file.
std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const ReportFinding& each : measured_findings()) rows.push_back({each.entry, each.measured});
  const std::size_t measured = rows.size();
  for (const KnownDifference& entry : load_known_file("").differences)
    if (std::none_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(measured),
                     [&](const Row& row) { return row.entry.id == entry.id; }))
      rows.push_back({entry, std::nullopt});
  return rows;
}

/// Whether a known difference selects some call of the op.
bool is_about(const Row& row, std::string_view op) {
  return op.empty() || row.entry.selector->ops().contains(op);
}

std::vector<Row> wanted_rows(const FindingsCommandOptions& options) {
  std::vector<Row> rows = all_rows();
  std::erase_if(rows, [&](const Row& row) {
    const bool is_of_class =
        options.difference_class == "*" || row.entry.difference_class == options.difference_class;
    const bool is_severe = options.severity.empty() || row.severity() == options.severity;
    return !is_of_class || !is_severe || !is_about(row, options.op) ||
           row.side().find(options.side) == std::string::npos;
  });
  return rows;
}

const Row& row_named(const std::vector<Row>& rows, const std::string& name) {
  if (name.empty()) throw UsageError("name a finding (upcast findings list)");
  std::vector<std::string_view> names;
  for (const Row& row : rows) {  // a cause's name means its worst finding, which is first
    if (row.entry.id == name || row.entry.cause == name) return row;
    names.push_back(row.entry.id);
  }
  throw UsageError(fmt::format("there is no finding '{}'{} (upcast findings list)", name,
                               did_you_mean(name, names)));
}

nlohmann::ordered_json row_json(const Row& row) {
  nlohmann::ordered_json json{{"id", row.entry.id},         {"cause", row.entry.cause},
                              {"severity", row.severity()}, {"class", row.entry.difference_class},
                              {"side", row.side()},         {"kind", row.entry.kinds.front()},
                              {"case", row.case_line()},    {"reason", row.entry.reason}};
  if (!row.measured) return json;
  json["right"] = row.measured->right;
  json["wrong"] = row.measured->wrong;
  json["python"] = row.measured->reach.python;
  json["default_path"] = row.measured->reach.default_path;
  return json;
}

int list(const FindingsCommandOptions& options) {
  const std::vector<Row> rows = wanted_rows(options);
  nlohmann::ordered_json json{{"$schema", json_schemas::kFindings},
                              {"findings", nlohmann::ordered_json::array()}};
  Rows table{{"severity", "class", "side", "id", "what is wrong"}};
  for (const Row& row : rows) {
    json["findings"].push_back(row_json(row));
    table.push_back(
        {row.severity(), row.entry.difference_class, row.side(), row.entry.id,
         row.measured ? reports::issue_title(*row.measured, row.entry) : row.entry.reason});
  }
  if (rows.empty())
    throw UsageError("no finding matches (upcast findings list --class '*' lists all)");
  fmt::print(people(options.json), "{}{}\n", table_text(table, 0),
             counted(std::ssize(rows), "finding"));
  write_output(options.json, dump_json(json, 2) + "\n");
  return kAsExpected;
}

/// The text of an issue about a finding, which also lists the other findings of its cause. Throws
/// UsageError if the finding is not measured.
std::string issue_of(const Row& row, const std::vector<ReportFinding>& all) {
  if (!row.measured)
    throw UsageError(
        fmt::format("{} has no issue: only bugs of LibTorch itself are measured, and this one is "
                    "of class {}, side {}; for compilers see docs/compiler_findings.md",
                    row.entry.id, row.entry.difference_class, row.side()));
  const ReportFinding finding{*row.measured, row.entry};
  return reports::issue_markdown(finding, others_of_its_cause(finding, all));
}

/// Writes one file for each cause, about its worst finding and the others. Numbers in the files'
/// names sort the causes, the worst first.
int write_all_issues(const FindingsCommandOptions& options) {
  if (!options.name.empty()) throw UsageError("give a name or --all, not both");
  if (options.out.empty() || options.out == "-")
    throw UsageError("--all writes one file for each cause; name the folder: -o FOLDER");
  std::filesystem::create_directories(options.out);
  const std::vector<ReportFinding> all = measured_findings();
  std::vector<OutputFile> files;
  std::set<std::string_view> written;
  for (const ReportFinding& each : all) {
    if (each.entry.difference_class != "bug" || !written.insert(each.entry.cause).second) continue;
    files.push_back({(std::filesystem::path(options.out) /
                      fmt::format("{:03}-{}.md", files.size() + 1, each.entry.cause))
                         .string(),
                     reports::issue_markdown(each, others_of_its_cause(each, all))});
  }
  const std::int64_t count = std::ssize(files);
  write_outputs(std::move(files));
  fmt::print("{} in {}, the worst first\n", counted(count, "issue"), options.out);
  return kAsExpected;
}

/// Throws UsageError for a flag of `upcast findings` that the chosen action would ignore.
void check_flags(const CLI::App& command, const std::string& action) {
  const std::vector<std::string> of_list{"--severity", "--op", "--class", "--side", "--json"};
  const std::vector<std::string> of_issue{"--out", "--all"};
  const auto refuse = [&](const std::vector<std::string>& flags, const char* owner) {
    for (const std::string& flag : flags)
      if (action != owner && command.count(flag) > 0)
        throw UsageError(fmt::format("{} is for `upcast findings {}`", flag, owner));
  };
  refuse(of_list, "list");
  refuse(of_issue, "issue");
}

int run(const FindingsCommandOptions& options) {
  if (options.action == "list") return list(options);
  if (options.action == "issue" && options.all) return write_all_issues(options);
  const std::vector<Row> rows = all_rows();
  const Row& row = row_named(rows, options.name);
  if (options.action == "show" && !row.measured)
    write_output("-", fmt::format("{}\n  {}\n  class {}, side {}, not measured\n", row.case_line(),
                                  row.entry.reason, row.entry.difference_class, row.side()));
  else if (options.action == "show")
    write_output(
        "-", fmt::format("severity: {}\n\n{}", row.severity(), issue_of(row, measured_findings())));
  else
    write_output(options.out.empty() ? "-" : options.out, issue_of(row, measured_findings()));
  return kAsExpected;
}

}  // namespace

void add_findings_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "findings", "Known bugs, the worst first, and the text of an issue for each");
  auto options = std::make_shared<FindingsCommandOptions>();
  command->add_option("ACTION", options->action, "list, show or issue")
      ->required()
      ->check(CLI::IsMember({"list", "show", "issue"}));
  command->add_option("NAME", options->name, "The finding to show, or to write an issue about");
  command
      ->add_option("--severity", options->severity,
                   "Only this severity: crash, wrong_kind, wrong_value, extreme_arguments, "
                   "experimental_dtypes")
      ->check(
          CLI::IsMember(std::vector<std::string>(kSeverityNames.begin(), kSeverityNames.end())));
  command->add_option("--op", options->op, "Only findings about this op");
  command
      ->add_option("--class", options->difference_class,
                   "Only this class: bug, ambiguous, by_design, host_defined; * is any")
      ->capture_default_str()
      ->check(CLI::IsMember({"bug", "ambiguous", "by_design", "host_defined", "*"}));
  command->add_option(
      "--side", options->side,
      "Only findings whose wrong side has a name with this text: native, meta, python:torch");
  command->add_option("-o,--out", options->out,
                      "The file to write the issue to; with --all a folder");
  command->add_flag("--all", options->all,
                    "Write an issue for each bug of LibTorch, one file for each cause");
  add_json_option(*command, options->json);
  command->callback([options, command, &action] {
    action = [options, command] {
      check_flags(*command, options->action);
      return run(*options);
    };
  });
}

}  // namespace upcast::tools
