// Ids of callables in fuzz bytes, frozen in callable_ids.txt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "impl/ops/catalogue.h"

namespace upcast::fuzz {

/// Ids below it are frozen. A number beyond the table stands for its remainder by this.
inline constexpr int kFrozenIds = 806;

/// The names by id, as in the file. Callables that the catalogue no longer has keep their ids.
std::span<const std::string_view> callable_names();

/// The callable of an id; any number is one.
const FoundOp& callable_of(std::uint16_t id);

/// The id of a callable; nothing if the file lacks it.
std::optional<std::uint16_t> id_of(std::string_view callable);

}  // namespace upcast::fuzz
