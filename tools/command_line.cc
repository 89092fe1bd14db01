#include "tools/command_line.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <new>

#include "cases/byte_size.h"
#include "oracle/protocol/line_process.h"
#include "tools/colour.h"

namespace upcast::tools {

void print_error(std::string_view what) {
  fmt::print(stderr, "{} {}\n", painted(stderr, Tone::kBad, "upcast:"), what);
}

int run_guarded(const CLI::App& app, const std::function<int()>& run) try {
  return run();
} catch (const CLI::Success& success) {
  return app.exit(success);  // --help, --version
} catch (const CLI::ParseError& error) {
  print_error(fmt::format("{}; see {} --help", error.what(), app.get_name()));
  return 2;
} catch (const std::bad_alloc&) {
  print_error("out of memory; give fewer cases or a smaller --jobs");
  return 2;
} catch (const std::exception& error) {
  print_error(error.what());
  return 2;
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
