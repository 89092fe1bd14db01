// Makes commands that show a finding again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace upcast::fuzz {

/// The `upcast run` command that asks two sides about a case line.
std::string run_command(std::string_view line, std::string_view subject, std::string_view oracle);

/// The command that replays an input of a fuzz target, for inputs that are no cases.
std::string replay_command(std::string_view target, std::span<const std::uint8_t> input);
/// The command that replays a case line as the input of a fuzz target.
std::string replay_command(std::string_view target, std::string_view line);

}  // namespace upcast::fuzz
