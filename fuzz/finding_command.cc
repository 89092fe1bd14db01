#include "fuzz/finding_command.h"

#include <fmt/format.h>

#include "cases/shell_word.h"

namespace upcast::fuzz {

std::string run_command(std::string_view line, std::string_view subject, std::string_view oracle) {
  return fmt::format("upcast run {} --subject {} --oracle {}", shell_word(line),
                     shell_word(subject), shell_word(oracle));
}

std::string replay_command(std::string_view target, std::span<const std::uint8_t> input) {
  std::string command = fmt::format("fuzz-{}-replay -hex=", target);
  for (const std::uint8_t byte : input) command += fmt::format("{:02x}", byte);
  return command;
}

std::string replay_command(std::string_view target, std::string_view line) {
  return fmt::format("fuzz-{}-replay -line={}", target, shell_word(line));
}

}  // namespace upcast::fuzz
