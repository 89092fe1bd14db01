#include "tools/siblings/findings_flags.h"

#include "tools/command_line.h"

namespace upcast::tools {
namespace {

constexpr const char* kMinimizeExamples =
    "Example:\n"
    "  upcast minimize 'add.Tensor(float16[64,3], float16[3], alpha=300, values=special)'\n"
    "A step keeps the signature, the known difference that explains the case, and the order of\n"
    "magnitude of the error. Exit codes: 0 done, 2 usage or harness fault, also where nothing "
    "differs.";

constexpr const char* kReproExamples =
    "Examples:\n"
    "  upcast repro 'mul.Tensor(float8_e5m2[2], 2.5)' --cpp mul.cc --python mul.py\n"
    "  upcast repro 'add(float32[2], 2)' --subject plugin:./libmine.so   # calls the plug-in\n"
    "  upcast repro 'logit(float32[1]{0.49})' --short --python -         # some ten lines\n"
    "  upcast repro --all-known --cpp known.cc --python known.py\n"
    "  upcast repro --all-known --short --folder known\n"
    "A program calls the side that is wrong: LibTorch, or the subject with PyTorch's answer next\n"
    "to its own. It ends with 1 while the difference is there, with 0 when the answer is as\n"
    "expected, with 2 for another answer. Exit codes of this command: 0 written, 2 usage or "
    "harness\n"
    "fault, also where nothing differs.";

void add_findings_options(CLI::App& app, FindingsOptions& options) {
  app.add_option("CASE", options.case_line,
                 "A case line, such as 'mul.Tensor(float8_e5m2[2], 2.5)'");
  app.add_option("--subject", options.subject, "What is tested")->capture_default_str();
  app.add_option("--oracle", options.oracle, "What it is compared with")->capture_default_str();
  app.add_option("--known", options.known_file, "Known differences (default: those built in)");
  app.add_option("--time-limit", options.time_limit, "Seconds that a side may take for one case")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
}

}  // namespace

void add_minimize_flags(CLI::App& app, MinimizeFlags& flags, FindingsOptions& options) {
  add_json_option(app, flags.json_out);
  app.add_flag("--as-it-is", flags.as_it_is,
               "Make nothing simpler: say what differs in the case itself");
  app.add_flag("--trace", flags.trace,
               "Print each case that is tried to standard error: whether it is kept, or why not");
  add_findings_options(app, options);
  app.footer(kMinimizeExamples);
}

void add_repro_flags(CLI::App& app, ReproOutputs& outputs, FindingsOptions& options) {
  app.add_option("--cpp", outputs.cpp,
                 "Write a C++ program, of LibTorch or a plug-in; - is standard output");
  app.add_option("--python", outputs.python,
                 "Write a Python script, of torch or a process; - is standard output");
  app.add_flag("--all-known", outputs.all_known,
               "All known differences in one program, chosen by its argument");
  app.add_flag("--short", outputs.is_short,
               "Of LibTorch: some ten lines, as a person writes them, to paste into an issue");
  app.add_option("--folder", outputs.folder,
                 "With --all-known --short: the folder for a program of each and language");
  add_findings_options(app, options);
  app.footer(kReproExamples);
}

}  // namespace upcast::tools
