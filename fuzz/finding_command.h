// The command that shows a finding again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace upcast::fuzz {

/// Asks two sides about a case.
std::string run_command(std::string_view line, std::string_view subject, std::string_view oracle);

/// Runs a target on an input that is no case.
std::string replay_command(std::string_view target, std::span<const std::uint8_t> input);
/// Runs a target on the input that it makes of a case line.
std::string replay_command(std::string_view target, std::string_view line);

}  // namespace upcast::fuzz
