// Limits of text that others wrote. docs/limits.md lists all limits.
#pragma once

#include <cstddef>

namespace upcast {

inline constexpr std::size_t kMaxTextFile = std::size_t{256} << 20;  // bytes
inline constexpr std::size_t kMaxCases = 1'000'000;                  // cases in one list
inline constexpr std::size_t kMaxNesting = 64;          // how deep brackets nest in JSON
inline constexpr std::size_t kMaxElements = 1'000'000;  // commas in a JSON text
inline constexpr std::size_t kMaxTomlFile = std::size_t{16} << 20;  // bytes
inline constexpr std::size_t kMaxDottedKey = 16;                    // dots in a TOML key
inline constexpr std::size_t kMaxManifest = std::size_t{1} << 20;   // bytes
inline constexpr std::size_t kMaxName =
    256;  // characters in the name of a peer, and in its version
inline constexpr std::size_t kMaxPeerText = std::size_t{64}
                                            << 10;  // bytes in a refusal or an error of a peer
inline constexpr std::size_t kMaxVersions = 256;    // versions that a peer lists in its hello
inline constexpr std::size_t kMaxMessage = 4096;    // bytes of one line of an error message

}  // namespace upcast
