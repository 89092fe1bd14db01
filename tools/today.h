// Today's date, which a run store keeps as the day of its run.
#pragma once

#include <fmt/chrono.h>

#include <ctime>
#include <string>

namespace upcast::tools {

/// The date of today in UTC: "2026-11-22".
inline std::string today() { return fmt::format("{:%F}", fmt::gmtime(std::time(nullptr))); }

}  // namespace upcast::tools
