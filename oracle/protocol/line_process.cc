#include "oracle/protocol/line_process.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "cases/byte_size.h"
#include "impl/core/sanitizer.h"

namespace upcast::protocol {
namespace {

constexpr std::string_view kUsualLimit = kIsSanitized ? "none" : "4GiB";

/// Words for "no memory left" in messages of C++, Python, NumPy, glibc and upcast-plugin-worker.
constexpr std::array<std::string_view, 5> kNoMemoryLeft{
    "bad_alloc", "MemoryError", "ut of memory", "annot allocate memory", "nable to allocate"};

}  // namespace

std::int64_t memory_limit() {
  const char* const chosen = std::getenv(kMemoryLimitVariable);
  return parse_byte_size(chosen != nullptr ? chosen : kUsualLimit);
}

std::string with_memory_limit(std::string words) {
  const bool tells =
      std::any_of(kNoMemoryLeft.begin(), kNoMemoryLeft.end(),
                  [&](std::string_view part) { return words.find(part) != std::string::npos; });
  const std::int64_t limit = memory_limit();
  if (tells && limit > 0)
    words +=
        "; it needs more memory than the limit of " + byte_size_text(limit) + " (--memory-limit)";
  return words;
}

ChildSetup line_process(std::vector<std::string> command, std::vector<int> descriptors) {
  ChildSetup setup{.command = std::move(command),
                   .descriptors = std::move(descriptors),
                   .talk = Talk::kStreams,
                   .keeps_errors = true,
                   .interrupt = Interrupt::kOwnGroup,
                   .memory_limit = memory_limit()};
  // A package of upcast adds its own LibTorch to LD_LIBRARY_PATH (tools/libtorch_home.h). Programs
  // of others get the variable as the user set it, because they may have a LibTorch of their own.
  if (const char* const callers = std::getenv("UPCAST_CALLERS_LIBRARY_PATH"))
    setup.environment = {{"LD_LIBRARY_PATH", callers}};
  return setup;
}

ChildSetup shell_process(const std::string& command) {
  // `exec` replaces the shell by the command, so that the command itself is killed with its parent.
  return line_process({"/bin/sh", "-c", "exec " + command});
}

}  // namespace upcast::protocol
