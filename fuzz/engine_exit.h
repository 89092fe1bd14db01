// Exit codes with which an engine tells the campaign's driver why it ended, if it neither died nor
// finished.
#pragma once

namespace upcast::fuzz {

/// The subject or the oracle could not be made, or a finding could not be written. The engine's
/// output says why, after "upcast: ".
inline constexpr int kEngineMistake = 2;
/// The engine survived so many traps and endless calls that the driver should start a new one.
inline constexpr int kEngineWornOut = 66;

}  // namespace upcast::fuzz
