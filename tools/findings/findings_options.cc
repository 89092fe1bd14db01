#include "tools/findings/findings_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/notation.h"
#include "cases/operand_text.h"
#include "fuzz/findings/short_program.h"
#include "impl/core/capability.h"
#include "impl/core/error.h"
#include "oracle/host/line_server.h"
#include "oracle/libtorch/register.h"
#include "oracle/modules/modules.h"
#include "oracle/planted/planted_bugs.h"
#include "oracle/plugin/remote_plugin.h"
#include "oracle/protocol/python_subject.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/verdict_text.h"
#include "tools/command_line.h"
#include "tools/write_file.h"

namespace upcast::tools {
void register_findings_subjects() {
  register_subject("truth", &make_truth_subject);
  register_libtorch_subjects();
  register_subject("libtorch@", &make_subject_of_version);
  register_module_subjects();
  register_remote_plugin();
  protocol::register_process_subjects();
  register_planted_subjects();
}

int findings_main(CLI::App& app, const FindingsOptions& options, int argc, char** argv,
                  int (*run)(const FindingsOptions& options)) {
  register_findings_subjects();
  return run_command_line(app, argc, argv, [&] { return run(options); });
}

std::pair<std::string, std::string> sides_of_entry(const KnownDifference& entry) {
  if (entry.subject.empty()) return {"impl:cpu", "libtorch:cpu"};
  if (entry.subject == "libtorch:meta") return {"impl:meta", "libtorch:meta"};
  if (parse_side(entry.subject).vendor == Vendor::kUpcast) return {entry.subject, "libtorch:meta"};
  return {entry.subject, "libtorch:cpu"};
}

bool shows_here(const KnownDifference& entry) {
  return parse_side(entry.subject).bounds != Implementation::kLibTorchNative ||
         best_capability() >= Capability::kV3;
}

Case parse_one(const std::string& line) {
  if (line.empty()) throw UsageError("give a case, such as 'mul.Tensor(float8_e5m2[2], 2.5)'");
  const std::vector<Case> cases = parse_cases(line, "'" + line + "'");
  if (cases.size() != 1) throw UsageError("'" + line + "' holds several cases; give one");
  return cases.front();
}

fuzz::Reproducible reproducible(const fuzz::Finding& finding, fuzz::Examiner& examiner,
                                double time_limit, std::optional<Role> wrong) {
  const std::string line = print_case(finding.c);
  if (!finding.signature) {
    const std::string why = finding.verdict.code == VerdictCode::kNotJudged
                                ? "not judged (" + sentence(finding.verdict) + ")"
                                : "the same from both sides: " + finding.subject.text();
    throw UsageError("nothing differs in " + line + ": " + why);
  }
  const Side subject = parse_side(examiner.subject());
  const Side oracle = parse_side(examiner.oracle());
  const bool calls_subject = fuzz::suspect(subject, oracle, wrong) == Role::kSubject;
  const Side& called = calls_subject ? subject : oracle;
  const Side& other = calls_subject ? oracle : subject;
  fuzz::Reproducible made{.name = "finding", .c = finding.c, .code = finding.verdict.found};
  made.c.expectation.reset();
  made.callee = fuzz::callee_of(called);
  if (made.callee.kind != fuzz::Callee::Kind::kLibTorch)
    made.reference = other.is_libtorch() ? "PyTorch " + examiner.libtorch_version(!calls_subject)
                                         : to_string(other);
  made.right = calls_subject ? finding.oracle : finding.subject;
  made.wrong = calls_subject ? finding.subject : finding.oracle;
  made.sides = examiner.sides();
  if (made.right.died())
    throw UsageError("the side that is taken to be right dies on " + line + ": " +
                     made.right.death);
  if (made.wrong.answer.tag == Answer::Tag::kBroken)
    throw UsageError(
        fmt::format("the answer of {} to {} is broken, and a program cannot show that: {}",
                    made.callee.name, line, made.wrong.answer.detail));
  const bool is_death = made.code == VerdictCode::kCrash || made.code == VerdictCode::kTimeout;
  if (is_death && !made.wrong.died()) throw UsageError(made.callee.name + " survives " + line);
  made.device = called.device;
  made.capability = called.capability;
  made.has_onednn = called.has_onednn;
  if (called.is_libtorch()) made.libtorch = examiner.libtorch_version(calls_subject);
  made.signature = finding.signature->text();
  made.time_limit = time_limit;
  return made;
}

std::string truth_text(const Case& c, double time_limit) {
  constexpr std::size_t kShown = 64;
  const Reply truth = fuzz::ChildSide("truth", time_limit).ask(c);
  const Answer& answer = truth.answer;
  if (truth.died() || answer.tag != Answer::Tag::kTensor) return "";
  const bool is_decided = std::none_of(answer.leeway.begin(), answer.leeway.end(),
                                       [](double leeway) { return std::isinf(leeway); });
  if (!is_decided) return truth.text();
  const bool is_whole = answer.further.empty() && !answer.without_values &&
                        static_cast<std::size_t>(numel(answer.sizes)) <= kShown;
  const std::string text = is_whole
                               ? fmt::format("{}{}{}", name(answer.dtype), print_dims(answer.sizes),
                                             print_values(answer.dtype, answer.bytes))
                               : truth.text();
  return text + std::string(fuzz::kCorrectlyRounded);
}

void write_short(const std::vector<fuzz::Reproducible>& all, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const fuzz::Reproducible& made : all) {
    for (const auto& [suffix, program] :
         {std::pair{"py", fuzz::short_python(made)}, {"cc", fuzz::short_cpp(made)}}) {
      const std::string file = fmt::format("{}.{}", made.name, suffix);
      if (program.why_not.empty())
        write_output(std::filesystem::path(folder) / file, program.text);
      else
        fmt::print(stderr, "upcast: no {}: {}\n", file, program.why_not);
    }
  }
}

bool SettingsFinder::answers_alike(const fuzz::Reproducible& made, const std::string& settings) {
  const std::string side = made.callee.name.substr(0, made.callee.name.find('?')) + "?" + settings;
  std::unique_ptr<fuzz::ChildSide>& asked = sides_[side];
  if (!asked) asked = std::make_unique<fuzz::ChildSide>(side, time_limit_);
  const Reply reply = asked->ask(made.c);
  const Answer &a = reply.answer, &b = made.wrong.answer;
  if (reply.death != made.wrong.death || a.tag != b.tag) return false;
  if (a.tag == Answer::Tag::kRefusal) return a.detail == b.detail;
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides && a.bytes == b.bytes &&
         a.further.size() == b.further.size() &&
         std::equal(a.further.begin(), a.further.end(), b.further.begin(),
                    [](const Answer& x, const Answer& y) { return x.bytes == y.bytes; });
}

void SettingsFinder::find(fuzz::Reproducible& made) {
  const bool is_of_cpu =
      made.callee.kind == fuzz::Callee::Kind::kLibTorch && made.device == Device::kCpu;
  if (!is_of_cpu) {  // settings of LibTorch's CPU kernels change nothing
    made.sets = {.capability = false, .onednn = false};
    return;
  }
  const std::string as_the_callee = "capability=" + made.capability;
  for (const fuzz::NeededSettings sets :
       {fuzz::NeededSettings{false, false}, {true, false}, {false, true}}) {
    const std::string capability = sets.capability ? as_the_callee : "capability=native";
    const std::string onednn = sets.onednn && !made.has_onednn ? "" : "&onednn=on";
    if (!answers_alike(made, capability + onednn)) continue;
    made.sets = sets;
    return;
  }
  made.sets = {.capability = true, .onednn = true};
}

}  // namespace upcast::tools
