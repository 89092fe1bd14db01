#include "cases/suggest.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "cases/text_cursor.h"

namespace upcast {
namespace {

/// The characters of a word as bits. Characters that are equal modulo 64 share a bit.
std::uint64_t characters(std::string_view word) {
  std::uint64_t bits = 0;
  for (const char c : word) bits |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
  return bits;
}

/// Rows of the table that finds the fewest edits between two words: the one in work, and the two
/// before it.
struct Rows {
  std::vector<std::size_t> row, last, before_last;
};

/// The fewest edits (suggest.h) from `a` to `b`, or `limit` if they are at least that many. `rows`
/// is memory, kept from one call to the next.
std::size_t edits(std::string_view a, std::string_view b, std::size_t limit, Rows& rows) {
  auto& [row, last, before_last] = rows;
  for (auto* each : {&row, &last, &before_last}) each->resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t fewest = row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      fewest = std::min(fewest, row[j]);
    }
    if (fewest >= limit) return limit;  // no later row has fewer
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  if (word.size() > kMaxWord) return {};
  std::string_view nearest;
  std::size_t fewest = limit + 1;
  Rows rows;
  const std::uint64_t own = characters(word);
  for (std::string_view candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) >= fewest) continue;
    // An edit removes or adds at most one character that the other word lacks.
    const std::uint64_t its = characters(candidate);
    if (std::max(std::popcount(own & ~its), std::popcount(its & ~own)) >= static_cast<int>(fewest))
      continue;
    const std::size_t needed = edits(word, candidate, fewest, rows);
    if (needed < fewest && needed < longer) {
      fewest = needed;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_word(word, candidates);
  return nearest.empty() ? std::string() : "; did you mean " + std::string(nearest) + "?";
}

}  // namespace upcast
