// Exit codes by which an engine tells the campaign's driver why it ended, if it neither died nor
// was done.
#pragma once

namespace upcast::fuzz {

/// The subject or the oracle cannot be made, or a finding cannot be written. The engine's output
/// says why, after "upcast: ".
inline constexpr int kEngineMistake = 2;
/// The engine survived so many traps and endless calls that a new one should be started.
inline constexpr int kEngineWornOut = 66;

}  // namespace upcast::fuzz
