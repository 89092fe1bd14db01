// The version of the process protocol (docs/process_protocol.md).
#pragma once

namespace upcast::protocol {

/// Raised where a process of the version before would misunderstand; new fields do not raise it.
inline constexpr int kProtocolVersion = 1;

}  // namespace upcast::protocol
