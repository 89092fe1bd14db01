// Commands that show a finding again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace upcast::fuzz {

/// The command that asks two sides about a case.
std::string run_command(std::string_view line, std::string_view subject, std::string_view oracle);

/// The command that runs a target on an input that is no case.
std::string replay_command(std::string_view target, std::span<const std::uint8_t> input);
/// The command that runs a target on the input that it makes of a case line.
std::string replay_command(std::string_view target, std::string_view line);

}  // namespace upcast::fuzz
