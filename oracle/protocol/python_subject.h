// Python frameworks as sides. Each has an environment of its own (python:numpy,
// python:torch==2.5.1), or runs in the user's
// (python:torch?python=venv/bin/python&import=my_backend&device=my_device).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/subject.h"

namespace upcast::protocol {

/// The command that runs a framework's adapter. It takes the Python that the setting `python`
/// names, else that of the environment which ci/frameworks.sh has made. Throws UsageError if there
/// is none; the message says what to do.
std::string framework_command(const Side& side);

/// The versions of a framework that have environments on this machine, as the names of their
/// folders say.
std::vector<std::string> framework_versions(std::string_view framework);

/// Makes "python:NAME[==VERSION][?SETTING=VALUE&...]". Throws UsageError if the framework cannot be
/// run.
std::unique_ptr<Subject> make_python_subject(const Side& side);

/// Makes "python:..." and "process:..." known to make_subject(). main() must call it once.
void register_process_subjects();

}  // namespace upcast::protocol
