#include "tools/siblings/findings_flags.h"

#include "tools/command_line.h"

namespace upcast::tools {
namespace {

constexpr const char* kMinimizeExamples =
    "Example:\n  upcast minimize 'add.Tensor(float16[64,3], float16[3], alpha=300, "
    "values=special)'\nA simpler case must have the same signature, the same known difference and "
    "an error of the\nsame order of magnitude. Exit codes: 0 done, 2 usage or harness fault, also "
    "if nothing differs.";

constexpr const char* kReproExamples =
    "Examples:\n  upcast repro 'mul.Tensor(float8_e5m2[2], 2.5)' --cpp mul.cc --python mul.py\n  "
    "upcast repro 'add(float32[2], 2)' --subject plugin:./libmine.so   # calls the plug-in\n  "
    "upcast repro 'logit(float32[1]{0.49})' --short --python -         # some ten lines\n  upcast "
    "repro --all-known --cpp known.cc --python known.py\n  upcast repro --all-known --short "
    "--folder known\nA program calls the side that is wrong: LibTorch, or the subject, whose "
    "answer it prints next\nto PyTorch's. Its exit code is 1 if the difference shows, 0 if the "
    "answer is as\nexpected, 2 for any other answer. Exit codes of this command: 0 written, 2 "
    "usage or harness\nfault, also if nothing differs.";

void add_findings_options(CLI::App& app, FindingsOptions& options) {
  app.add_option("CASE", options.case_line,
                 "A case line, such as 'mul.Tensor(float8_e5m2[2], 2.5)'");
  app.add_option("--subject", options.subject, "The side to test")->capture_default_str();
  app.add_option("--oracle", options.oracle, "The side to compare it with")->capture_default_str();
  app.add_option("--known", options.known_file, "Known differences (default: those built in)");
  app.add_option("--time-limit", options.time_limit, "Seconds that a side may take for one case")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
}

}  // namespace

void add_minimize_flags(CLI::App& app, MinimizeFlags& flags, FindingsOptions& options) {
  add_json_option(app, flags.json_out);
  app.add_flag("--as-it-is", flags.as_it_is, "Do not simplify: only say what differs in this case");
  app.add_flag("--trace", flags.trace,
               "Print to standard error each case that is tried, and why it is kept or not");
  add_findings_options(app, options);
  app.footer(kMinimizeExamples);
}

void add_repro_flags(CLI::App& app, ReproOutputs& outputs, FindingsOptions& options) {
  app.add_option("--cpp", outputs.cpp,
                 "Write a C++ program that calls LibTorch or a plug-in; - is standard output");
  app.add_option("--python", outputs.python,
                 "Write a Python script that calls torch or a process; - is standard output");
  app.add_flag("--all-known", outputs.all_known,
               "Write one program for all known differences; its argument chooses one");
  app.add_flag("--short", outputs.is_short,
               "For LibTorch: a program of about ten lines, to paste into an issue");
  app.add_option("--folder", outputs.folder,
                 "With --all-known --short: the folder for the programs, one for each difference "
                 "and language");
  add_findings_options(app, options);
  app.footer(kReproExamples);
}

}  // namespace upcast::tools
