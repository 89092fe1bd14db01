// Chooses the mutant that runs, by an environment variable. tools/mutation puts this file into its
// scratch tree; the project's own code never includes it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace upcast {
namespace internal {

/// The id of the chosen mutant: the hexadecimal number in UPCAST_MUTANT. 0 means no mutant: the
/// code runs as it is.
inline std::uint32_t chosen_mutant() {
  const char* const text = std::getenv("UPCAST_MUTANT");
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 16));
}
inline const std::uint32_t kChosenMutant = chosen_mutant();

/// Creates the file that UPCAST_MUTANT_REACHED names when the chosen mutant is first reached.
[[gnu::cold, gnu::noinline]] inline void note_that_it_is_reached() {
  static std::atomic<bool> noted{false};
  if (noted.exchange(true, std::memory_order_relaxed)) return;
  if (const char* const path = std::getenv("UPCAST_MUTANT_REACHED"))
    close(open(path, O_CREAT | O_WRONLY, 0644));
}

}  // namespace internal

/// Whether a mutant is the chosen one. Always false in constant expressions.
constexpr bool mutant_is(std::uint32_t id) {
  if (std::is_constant_evaluated()) return false;
  if (internal::kChosenMutant != id) [[likely]]
    return false;
  internal::note_that_it_is_reached();
  return true;
}

}  // namespace upcast
