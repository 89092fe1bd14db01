#include "tools/command_line.h"

#include <fmt/format.h>

#include <exception>
#include <new>

namespace upcast::tools {

int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& run) try {
  app.parse(argc, argv);
  return run();
} catch (const CLI::Success& success) {
  return app.exit(success);  // --help, --version
} catch (const CLI::ParseError& error) {
  fmt::print(stderr, "upcast: {}; see {} --help\n", error.what(), app.get_name());
  return 2;
} catch (const std::bad_alloc&) {
  fmt::print(stderr, "upcast: out of memory; give fewer cases or a smaller --jobs\n");
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "upcast: {}\n", error.what());
  return 2;
}

}  // namespace upcast::tools
