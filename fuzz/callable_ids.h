// The ids of callables in fuzz bytes. The file callable_ids.txt freezes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "impl/ops/catalogue.h"

namespace upcast::fuzz {

/// How many ids are frozen: those below this number. A number beyond the table means its remainder
/// when divided by this.
inline constexpr int kFrozenIds = 806;

/// The names of the file callable_ids.txt, by id. Callables that the catalogue no longer has keep
/// their ids.
std::span<const std::string_view> callable_names();

/// The callable with an id. Every number is the id of some callable.
const FoundOp& callable_of(std::uint16_t id);

/// The id of a callable; nothing if callable_ids.txt lacks it.
std::optional<std::uint16_t> id_of(std::string_view callable);

}  // namespace upcast::fuzz
