// Frameworks of Python, each in an environment of its own: python:numpy, python:torch==2.5.1; or in
// the user's own: python:torch?python=venv/bin/python&import=my_backend&device=my_device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/subject.h"

namespace upcast::protocol {

/// The command that runs its adapter: by the interpreter that the setting `python` names, else by
/// that of the environment that ci/frameworks.sh has made. Throws UsageError where there is none,
/// which says what to do.
std::string framework_command(const Side& side);

/// The versions of a framework that have an environment of their own here, as their folders say.
std::vector<std::string> framework_versions(std::string_view framework);

/// "python:NAME[==VERSION][?SETTING=VALUE&...]". Throws UsageError.
std::unique_ptr<Subject> make_python_subject(const Side& side);

/// Makes "python:..." and "process:..." known to make_subject(). Called once, by main().
void register_process_subjects();

}  // namespace upcast::protocol
