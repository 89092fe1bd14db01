// The audit compares LibTorch's list of pointwise overloads with the catalogue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast {

/// Why an overload is not in the catalogue.
struct Excuse {
  std::string overload;
  std::string reason;
};

/// How many excuses are accepted at most: a list of excuses is not an implementation.
inline constexpr std::size_t kMaxExcuses = 12;

struct Audit {
  std::vector<std::string> tagged{};       // all callables that LibTorch tags, in its order
  std::vector<std::string> implemented{};  // overloads that the catalogue has
  std::vector<Excuse> excused{};           // overloads that the catalogue lacks, with a reason
  std::vector<std::string> missing{};      // neither
  std::vector<Excuse> stale{};  // excuses for overloads that are implemented, or not tagged

  bool passes() const {
    return !tagged.empty() && missing.empty() && stale.empty() && excused.size() <= kMaxExcuses;
  }
};

/// Compares LibTorch's list with the catalogue. `overloads`: a callable a line, `#` comments
/// (cases/pointwise_overloads.txt). `excuses`: TOML with [[excuse]] tables of overload and reason
/// (cases/audit_excuses.toml). Throws UsageError, with the name of the file, if either is
/// ill-formed.
Audit audit_catalogue(std::string_view overloads, std::string_view excuses);

}  // namespace upcast
