#include "cases/suggest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace upcast {
namespace {

/// The characters of a word as bits. Characters that are equal modulo 64 share a bit.
std::uint64_t characters(std::string_view word) {
  std::uint64_t bits = 0;
  for (const char c : word) bits |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
  return bits;
}

/// The longest word that one bit for each character describes.
constexpr std::size_t kMaxBits = 64;

/// Counts the edits (suggest.h) from one word to others. Neighbours in a column of the table of
/// edits differ by at most 1. So two words of bits hold a column: where it rises, and where it
/// falls. A character of the other word then takes a dozen operations (Hyyro, "A bit-vector
/// algorithm for computing Levenshtein and Damerau edit distances", 2003).
class Edits {
 public:
  /// Precondition: `word` is not empty, and has at most kMaxBits characters.
  explicit Edits(std::string_view word)
      : size_(word.size()), last_(std::uint64_t{1} << (word.size() - 1)) {
    for (std::size_t i = 0; i < word.size(); ++i)
      places_[static_cast<unsigned char>(word[i])] |= std::uint64_t{1} << i;
  }

  /// The fewest edits to `other`, or `limit` if they are at least that many.
  std::size_t to(std::string_view other, std::size_t limit) const {
    std::uint64_t up = ~std::uint64_t{0}, down = 0, diagonal = 0, before = 0;
    std::size_t edits = size_, rest = other.size();
    for (const char c : other) {
      const std::uint64_t equal = places_[static_cast<unsigned char>(c)];
      const std::uint64_t swapped = ((~diagonal & equal) << 1) & before;
      diagonal = (((equal & up) + up) ^ up) | equal | down | swapped;
      const std::uint64_t more = down | ~(diagonal | up), fewer = diagonal & up;
      edits += static_cast<std::size_t>((more & last_) != 0);
      edits -= static_cast<std::size_t>((fewer & last_) != 0);
      if (edits >= limit + --rest) return limit;  // each character left saves at most one edit
      up = fewer << 1 | ~(diagonal | (more << 1 | 1));
      down = (more << 1 | 1) & diagonal;
      before = equal;
    }
    return std::min(edits, limit);
  }

 private:
  std::size_t size_;
  std::uint64_t last_;
  std::array<std::uint64_t, 256> places_{};  // the places of each character in the word
};

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  if (word.empty() || word.size() > kMaxBits) return {};
  std::string_view nearest;
  std::size_t fewest = limit + 1;
  const Edits edits(word);
  const std::uint64_t own = characters(word);
  for (std::string_view candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) >= fewest) continue;
    // An edit removes or adds at most one character that the other word lacks.
    const std::uint64_t its = characters(candidate);
    if (std::max(std::popcount(own & ~its), std::popcount(its & ~own)) >= static_cast<int>(fewest))
      continue;
    const std::size_t needed = edits.to(candidate, fewest);
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
