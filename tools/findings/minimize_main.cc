// upcast-minimize: the simplest case that shows the same difference. Started by `upcast minimize`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "fuzz/findings/minimize.h"
#include "oracle/reply_texts.h"
#include "oracle/truth/arbitrate.h"
#include "tools/findings/findings_options.h"
#include "tools/known_file.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

MinimizeFlags flags;

/// A difference in which both sides are right.
bool is_no_fault(const fuzz::Finding& finding) {
  return finding.signature && finding.verdict.code == VerdictCode::kAgree;
}

int run(const FindingsOptions& options) {
  const Case c = parse_one(options.case_line);
  fuzz::Examiner examiner(options.subject, options.oracle, options.time_limit,
                          load_known_file(options.known_file).differences, &truth::arbitrate);
  // a step may not lead from one known difference to another, from an unknown one to a known, or
  // from a fault to what is nobody's
  const fuzz::Finding first = examiner.examine(c);
  const std::string& known = first.known;
  const fuzz::MinimalCase minimal =
      fuzz::minimize(c, [&](const Case& simpler) -> std::optional<Signature> {
        if (flags.as_it_is && !(simpler == c)) return std::nullopt;
        const fuzz::Finding finding = examiner.examine(simpler);
        const bool other_known = finding.known != known && !finding.known.empty();
        const bool no_fault = is_no_fault(finding) && !is_no_fault(first);
        return other_known || no_fault ? std::nullopt : finding.signature;
      });
  const std::string line = print_case(minimal.c);
  const ReplyTexts texts = reply_texts(first.subject, first.oracle, first.verdict);
  const nlohmann::ordered_json json = {{"$schema", json_schemas::kMinimize},
                                       {"case", line},
                                       {"signature", minimal.signature.text()},
                                       {"hash", hash_text(minimal.signature.hash())},
                                       {"known", known},
                                       {"verdict", name(first.verdict.found)},
                                       {"subject", texts.subject},
                                       {"oracle", texts.oracle},
                                       {"steps", minimal.steps},
                                       {"examined", minimal.examined}};
  write_output(flags.json_out, dump_json(json, 2) + "\n");
  fmt::print(people(flags.json_out), "{}\n", line);
  fmt::print(stderr, "{}\n{}, {} asked{}\n", minimal.signature.crash_line(),
             counted(minimal.steps, "step"), counted(minimal.examined, "case"),
             known.empty() ? "" : "; known difference " + known);
  return 0;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  CLI::App app("The simplest case that shows the same difference", "upcast minimize");
  FindingsOptions options;
  add_minimize_flags(app, flags, options);
  return findings_main(app, options, argc, argv, &run);
}
