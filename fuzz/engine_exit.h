// How an engine tells the campaign's driver why it ended, where it neither died nor was done.
#pragma once

namespace upcast::fuzz {

/// Its subject or its oracle cannot be made, or a finding cannot be written; its output says why,
/// after "upcast: ".
inline constexpr int kEngineMistake = 2;
/// It survived so many traps and endless calls that it should be started afresh.
inline constexpr int kEngineWornOut = 66;

}  // namespace upcast::fuzz
