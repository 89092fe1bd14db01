#include "tools/fuzz/follow_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "cases/json_text.h"
#include "cases/output_file.h"
#include "cases/shell_word.h"
#include "cases/text_file.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/target_sides.h"
#include "oracle/signature.h"
#include "tools/fuzz/quiet_program.h"
#include "tools/paths.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;
using SideNames = std::pair<std::string, std::string>;  // subject, oracle

constexpr const char* kCaseSeconds = "2";  // seconds that a side may take for a case
constexpr double kMostSecondsOfOne = 60;   // seconds to minimise one finding
constexpr double kMostSecondsOfRun = 600;  // seconds to run all findings again
constexpr int kUsageFault = 2;             // `upcast run`'s exit code for wrong input
constexpr const char* kNotInTime = "not simplified: the time was over";

std::string first_line(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

/// A side's name as a part of a file's name: "libtorch-cpu-capability-native".
std::string slug(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return name;
}

class FollowUp {
 public:
  FollowUp(const CampaignOptions& options, CampaignState& state)
      : options_(options), state_(state), folder_(options.log + "/findings") {
    const fuzz::TargetSides* own = fuzz::sides_of_target(options.target);
    if (own == nullptr) return;
    sides_ = {options.subject.empty() ? std::string(own->subject) : options.subject,
              options.oracle.empty() ? std::string(own->oracle) : options.oracle};
  }

  void run() {
    fs::create_directories(folder_);
    quarantine();
    if (options_.follow_up > 0) {
      for (const json& row : state_.found.rows())
        if (!row.value("subject_side", "").empty()) simplify(row);
      make_stores();
    }
    fs::remove(scratch());
    if (fs::is_empty(folder_)) fs::remove(folder_);
  }

 private:
  /// The JSON of `upcast minimize` about a case. If that fails, `found` is null and `why` is the
  /// reason.
  struct Simplest {
    json found;
    std::string why;
  };

  std::string scratch() const { return folder_ + "/scratch"; }

  double left() const {
    const double gone = std::chrono::duration<double>(Clock::now() - began_).count();
    return std::min(kMostSecondsOfOne, options_.follow_up - gone);
  }

  /// Runs a program for at most `seconds`. Returns (exit code, output); the code is -1 if it was
  /// killed or took too long.
  std::pair<int, std::string> ask(const std::string& program, std::vector<std::string> arguments,
                                  double seconds) const {
    arguments.insert(arguments.begin(), program);
    fs::remove(scratch());
    Child process(quiet_program(std::move(arguments), scratch()));
    const std::optional<ExitStatus> status = process.wait_for(seconds);
    if (!status || status->signal != 0) return {-1, kNotInTime};
    return {status->code, file_text(scratch())};
  }

  Simplest simplest(const std::string& line, const SideNames& sides, double seconds,
                    bool as_it_is = false) const {
    if (seconds <= 0) return {json(), kNotInTime};
    const std::string file = folder_ + "/simplest.json";
    fs::remove(file);
    std::vector<std::string> arguments{line,         "--subject",  sides.first,
                                       "--oracle",   sides.second, "--time-limit",
                                       kCaseSeconds, "--json",     file};
    if (as_it_is) arguments.emplace_back("--as-it-is");
    const auto [code, said] = ask(sibling_program("upcast-minimize"), arguments, seconds);
    Simplest result{read_json(file_text(file)), first_line(said)};
    fs::remove(file);
    if (code != 0 || !result.found.is_object()) result.found = json();
    return result;
  }

  /// Runs each input that killed an engine in a new process. Removes those that a known difference
  /// explains, and logs the others as findings.
  void quarantine() {
    if (state_.crashes.empty()) return;
    fuzz::FindingLog log(options_.target, options_.log);
    std::vector<std::string> unexplained;
    for (const std::string& artifact : state_.crashes) {
      const std::string replay = options_.engine + "-replay";
      const auto [code, shown] = ask(replay, {"-show", artifact}, kMostSecondsOfOne);
      fuzz::FindingRow row;
      row.check = "engine";
      row.verdict = "crash";
      row.line = code == 0 ? first_line(shown) : "";
      row.signature = fmt::format("crash engine {} {}", options_.target,
                                  row.line.substr(0, row.line.find('(')));
      row.detail = "it killed an engine";
      row.command = fmt::format("fuzz-{}-replay {}", options_.target, shell_word(artifact));
      if (is_a_case(row.line) && explain(row)) {
        fs::remove(artifact);
        continue;
      }
      unexplained.push_back(artifact);
      log.add(row, row.signature);
    }
    state_.crashes = std::move(unexplained);
    state_.found.catch_up();
    state_.signatures = state_.found.signatures();
  }

  bool is_a_case(const std::string& line) const {
    return !line.empty() && !sides_.first.empty() && options_.target != "chain";
  }

  /// Whether a known difference explains a case that killed an engine. If not, adds what both sides
  /// do to the row.
  bool explain(fuzz::FindingRow& row) const {
    const Simplest simple = simplest(row.line, sides_, kMostSecondsOfOne, /*as_it_is=*/true);
    if (simple.found.is_null()) {
      row.detail += "; alone in a process: " + simple.why;
      return false;
    }
    if (!simple.found.value("known", "").empty()) return true;
    row.signature = simple.found.value("signature", "");
    row.verdict = simple.found.value("verdict", "");
    row.subject = simple.found.value("subject", "");
    row.oracle = simple.found.value("oracle", "");
    std::tie(row.subject_side, row.oracle_side) = sides_;
    row.command = fuzz::run_command(row.line, row.subject_side, row.oracle_side);
    return false;
  }

  void simplify(const json& row) const {
    const SideNames sides{row.value("subject_side", ""), row.value("oracle_side", "")};
    const std::string line = row.value("line", ""), signature = row.value("signature", "");
    const Simplest simple = simplest(line, sides, left());
    json finding{{"case", line},
                 {"signature", signature},
                 {"hash", hash_text(hash_of(signature))},
                 {"found", line},
                 {"subject_side", sides.first},
                 {"oracle_side", sides.second},
                 {"why_not_simpler", simple.why}};
    if (!simple.found.is_null()) {
      finding.update(simple.found);
      finding.erase("$schema");  // the schema of `upcast minimize` lacks some members
      finding["why_not_simpler"] = "";
    }
    const std::string path = folder_ + "/" + finding.value("hash", "");
    if (fs::exists(path + ".json")) return;
    write_output_file(path + ".json", dump_json(finding, 2) + "\n");
    if (simple.found.is_null() || left() <= 0) return;
    const auto [code, said] =
        ask(sibling_program("upcast-repro"),
            {finding.value("case", ""), "--subject", sides.first, "--oracle", sides.second,
             "--time-limit", kCaseSeconds, "--cpp", path + ".cc", "--python", path + ".py"},
            left());
    if (code == 0) return;
    fs::remove(path + ".cc");
    fs::remove(path + ".py");
    finding["no_program"] = first_line(said);
    write_output_file(path + ".json", dump_json(finding, 2) + "\n");
  }

  /// Runs all findings in the log, also those of earlier campaigns, into run stores: one store for
  /// each pair of sides.
  void make_stores() {
    std::map<SideNames, std::string> cases;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != ".json") continue;
      const json finding = read_json(file_text(entry.path()));
      if (!finding.is_object()) continue;
      cases[{finding.value("subject_side", ""), finding.value("oracle_side", "")}] +=
          finding.value("case", "") + "\n";
    }
    for (const auto& [sides, text] : cases) {
      const std::string name =
          sides == sides_ ? "findings" : "findings." + slug(sides.first + "." + sides.second);
      const std::string store = options_.log + "/" + name + ".db";
      const std::string list = options_.log + "/" + name + ".cases";
      write_output_file(list, text);
      fs::remove(store);
      const auto [code, said] =
          ask(sibling_program("upcast"),
              {"run", "--cases", list, "--subject", sides.first, "--oracle", sides.second, "--jobs",
               "1", "--time-limit", kCaseSeconds, "--out", store},
              kMostSecondsOfRun);
      if (code != kUsageFault && fs::exists(store)) state_.stores.push_back(store);
    }
    std::sort(state_.stores.begin(), state_.stores.end());
  }

  const CampaignOptions& options_;
  CampaignState& state_;
  std::string folder_;
  SideNames sides_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

void follow_up(const CampaignOptions& options, CampaignState& state) {
  if (state.found.rows().empty() && state.crashes.empty()) return;
  FollowUp(options, state).run();
}

}  // namespace upcast::tools
