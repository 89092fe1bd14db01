// Which mutant runs: tools/mutation puts this file into its scratch tree, never into the project's
// own.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace upcast {
namespace internal {

/// The chosen mutant's id from UPCAST_MUTANT, hexadecimal. 0: none, the code as it is.
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

/// Whether a mutant is the chosen one. Never at compile time.
constexpr bool mutant_is(std::uint32_t id) {
  if (std::is_constant_evaluated()) return false;
  if (internal::kChosenMutant != id) [[likely]]
    return false;
  internal::note_that_it_is_reached();
  return true;
}

}  // namespace upcast
