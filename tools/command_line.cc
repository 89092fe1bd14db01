#include "tools/command_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <system_error>

#include "cases/byte_size.h"
#include "cases/limits.h"
#include "cases/standard_streams.h"
#include "cases/visible.h"
#include "oracle/protocol/line_process.h"
#include "tools/colour.h"

namespace upcast::tools {

namespace {

/// Calls `run`, and finishes standard output. Returns the exit code of `run`, or that of --help or
/// --version, which it prints.
int printed_code(const CLI::App& app, const std::function<int()>& run) {
  int code = 0;
  try {
    code = run();
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    code = app.exit(success, text, text);
    fmt::print("{}", text.str());
  }
  finish_standard_output();
  return code;
}

std::string text_of(const std::system_error& error) {
  if (std::ferror(stdout) == 0) return error.what();
  return fmt::format("standard output cannot be written ({})", error.code().message());
}

}  // namespace

void print_error(std::string_view what) {
  const std::string line = visible(what.substr(0, kMaxMessage));
  tell(fmt::format("{} {}{}\n", painted(stderr, Tone::kBad, "upcast:"), line,
                   what.size() > kMaxMessage ? "..." : ""));
}

int run_guarded(const CLI::App& app, const std::function<int()>& run) try {
  settle_standard_streams();
  try {
    return printed_code(app, run);
  } catch (const CLI::ParseError& error) {
    print_error(fmt::format("{}; see {} --help", error.what(), app.get_name()));
  } catch (const std::bad_alloc&) {
    print_error("out of memory; give fewer cases or a smaller --jobs");
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::broken_pipe) throw;
    print_error(text_of(error));
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return 2;
} catch (const std::system_error&) {  // an output is a pipe that nothing reads any more
  end_by_closed_pipe();
}

int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
  return run_guarded(app, [&] {
    app.parse(argc, argv);
    return run();
  });
}

void add_json_option(CLI::App& app, std::string& file) {
  app.add_option("--json", file,
                 "Write the result as JSON to this file; - is standard output, and the text for "
                 "people then goes to standard error")
      ->option_text("FILE");
}

void add_memory_limit_option(CLI::App& app, const std::string& about,
                             const std::function<void(std::int64_t)>& take) {
  app.add_option_function<std::string>(
         "--memory-limit", [take](const std::string& text) { take(parse_byte_size(text)); }, about)
      ->option_text("SIZE");
}

void add_memory_limit_option(CLI::App& app) {
  add_memory_limit_option(app,
                          "Memory that each process of a plug-in, process: or python: side may "
                          "hold: 500MiB, none [4GiB]",
                          [](std::int64_t bytes) {
                            setenv(protocol::kMemoryLimitVariable,
                                   bytes == 0 ? "none" : std::to_string(bytes).c_str(),
                                   /*replace=*/1);
                          });
}

}  // namespace upcast::tools
