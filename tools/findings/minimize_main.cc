// upcast-minimize: finds the simplest case that shows the same difference. `upcast minimize` starts
// it.
#include <fmt/format.h>

#include <cmath>
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

/// Whether two answers differ, but the judge accepts both.
bool is_no_fault(const fuzz::Finding& finding) {
  return finding.signature && finding.verdict.code == VerdictCode::kAgree;
}

/// The function that the minimiser calls for each case: asks both sides, and says what difference
/// the case shows.
class Shows {
 public:
  Shows(fuzz::Examiner& examiner, const Case& c)
      : examiner_(examiner),
        first_(examiner.examine(c)),
        wrong_(fuzz::suspect(parse_side(examiner.subject()), parse_side(examiner.oracle()),
                             examiner.wrong_side(first_))) {}

  const fuzz::Finding& first() const { return first_; }

  fuzz::Shown operator()(const Case& c) {
    const fuzz::Finding finding = c == first_.c ? first_ : examiner_.examine(c);
    if (is_no_fault(finding) && !is_no_fault(first_)) return {.why_not = "both sides are right"};
    if (!finding.signature) return {.why_not = std::string(name(finding.verdict.code))};
    return {.signature = finding.signature,
            .known = finding.known,
            .errors = fuzz::element_errors(c, finding.subject.answer, finding.oracle.answer,
                                           examiner_.sides(), wrong_)};
  }

 private:
  fuzz::Examiner& examiner_;
  fuzz::Finding first_;
  Role wrong_;
};

/// Prints a step of the minimiser on standard error: "kept      another dtype
/// logit(float32[1]{0.49})".
void trace(const fuzz::Move& move) {
  constexpr std::size_t kLongest = 100;  // the length of a line on a wide terminal
  std::string line = print_case(move.c);
  if (line.size() > kLongest) line = line.substr(0, kLongest) + "...";
  fmt::print(stderr, "{:9} {:15} {}{}\n", move.kept ? "kept" : "not kept", move.what, line,
             move.why.empty() ? "" : ": " + move.why);
}

nlohmann::ordered_json json_of(const std::optional<fuzz::ElementError>& error) {
  if (!error) return nullptr;
  nlohmann::ordered_json relative = error->relative;
  if (std::isinf(error->relative)) relative = "inf";
  return {{"result", error->result},
          {"element", error->element},
          {"wrong_kind", error->wrong_kind},
          {"relative_error", relative}};
}

/// The minimiser's result in words: "63 steps, 263 cases asked; relative error 0.94, first 0.97;
/// known difference logit-cancels".
std::string told(const fuzz::MinimalCase& minimal, const std::string& known) {
  std::string text =
      counted(minimal.steps, "step") + ", " + counted(minimal.examined, "case") + " asked";
  if (minimal.limit_reached) text += ": this is the limit, so there may be a simpler case";
  if (minimal.last_error) text += "; " + minimal.last_error->text();
  if (minimal.first_error && minimal.first_error->text() != minimal.last_error->text())
    text += ", first " + minimal.first_error->text();
  if (!known.empty()) text += "; known difference " + known;
  return text;
}

int run(const FindingsOptions& options) {
  Case c = parse_one(options.case_line);
  c.expectation.reset();
  fuzz::Examiner examiner(options.subject, options.oracle, options.time_limit,
                          load_known_file(options.known_file).differences, truth::make_arbiter());
  Shows shows(examiner, c);
  const fuzz::Finding& first = shows.first();
  const auto show = [&shows](const Case& each) { return shows(each); };
  const fuzz::MinimalCase minimal =
      flags.as_it_is ? fuzz::as_it_is(c, show)
                     : fuzz::minimize(c, show, flags.trace ? &trace : fuzz::Trace());
  const std::string line = print_case(minimal.c);
  const ReplyTexts texts = reply_texts(first.subject, first.oracle, first.verdict);
  const nlohmann::ordered_json json = {{"$schema", json_schemas::kMinimize},
                                       {"case", line},
                                       {"signature", minimal.signature.text()},
                                       {"hash", hash_text(minimal.signature.hash())},
                                       {"known", first.known},
                                       {"verdict", name(first.verdict.found)},
                                       {"subject", texts.subject},
                                       {"oracle", texts.oracle},
                                       {"first_error", json_of(minimal.first_error)},
                                       {"last_error", json_of(minimal.last_error)},
                                       {"steps", minimal.steps},
                                       {"examined", minimal.examined},
                                       {"limit_reached", minimal.limit_reached}};
  write_output(flags.json_out, dump_json(json, 2) + "\n");
  fmt::print(people(flags.json_out), "{}\n", line);
  fmt::print(stderr, "{}\n{}\n", minimal.signature.crash_line(), told(minimal, first.known));
  return 0;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  CLI::App app("Find the simplest case that shows the same difference", "upcast minimize");
  FindingsOptions options;
  add_minimize_flags(app, flags, options);
  return findings_main(app, options, argc, argv, &run);
}
