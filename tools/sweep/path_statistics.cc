#include "tools/sweep/path_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/ulp.h"

namespace upcast::tools {
namespace {

constexpr std::size_t kBlock = 1024;

/// The bits of an element as a number; of an element with more than 8 bytes, the first 8.
std::uint64_t bits_of(const std::byte* element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, std::min(size, sizeof bits));
  return bits;
}

struct PartDifference {
  enum class Kind : std::uint8_t { kNone, kNanBits, kStepped, kMisplaced } kind = Kind::kNone;
  double steps = 0;
};

/// Compares elements of one real dtype, in blocks that fit into a core's cache.
class Comparison {
 public:
  explicit Comparison(DType dtype)
      : dtype_(dtype), size_(static_cast<std::size_t>(itemsize(dtype))) {}

  void load(const std::byte* reference, const std::byte* other, std::size_t n) {
    reference_ = reference;
    other_ = other;
    if (!is_floating(dtype_)) return;
    cast(reference, reference_values_, n);
    cast(other, other_values_, n);
  }

  PartDifference operator()(std::size_t i) const {
    const std::uint64_t a = bits_of(reference_ + i * size_, size_);
    const std::uint64_t b = bits_of(other_ + i * size_, size_);
    if (a == b) return {};
    using Kind = PartDifference::Kind;
    if (!is_floating(dtype_)) return {Kind::kStepped, integer_steps(a, b)};
    const double x = reference_values_[i];
    const double y = other_values_[i];
    if (std::isnan(x) && std::isnan(y)) return {Kind::kNanBits};
    if (!std::isfinite(x) || !std::isfinite(y) || x == y) return {Kind::kMisplaced};
    return {Kind::kStepped, static_cast<double>(step_distance(a, b, size_))};
  }

 private:
  void cast(const std::byte* elements, std::array<double, 2 * kBlock>& values,
            std::size_t n) const {
    cast_elements(dtype_, elements, DType::kFloat64, reinterpret_cast<std::byte*>(values.data()),
                  static_cast<std::int64_t>(n));
  }
  /// The distance of two integers of the same width, signed or not, counted modulo 2^bits: the
  /// shorter way round.
  double integer_steps(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t mask = size_ == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size_) - 1;
    return static_cast<double>(std::min((a - b) & mask, (b - a) & mask));
  }

  DType dtype_;
  std::size_t size_;
  const std::byte* reference_ = nullptr;
  const std::byte* other_ = nullptr;
  std::array<double, 2 * kBlock> reference_values_, other_values_;
};

/// A row whose error is set to 0. Among rows of equal error, WorstRows keeps those with the
/// smallest indices.
PathDifference without_error(PathDifference row) {
  row.error = 0;
  return row;
}

}  // namespace

void PathStatistics::merge(const PathStatistics& other) {
  inputs += other.inputs;
  stepped += other.stepped;
  misplaced += other.misplaced;
  nan_bits += other.nan_bits;
  worst.merge(other.worst);
  first_misplaced.merge(other.first_misplaced);
  first.merge(other.first);
  for (std::size_t i = 0; i < histogram.size(); ++i) histogram[i] += other.histogram[i];
}

void compare_paths(DType dtype, std::span<const std::byte> reference,
                   std::span<const std::byte> other, std::uint64_t first,
                   PathStatistics& statistics) {
  check(reference.size() == other.size(), "two paths have results of one size");
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  const std::size_t parts = is_complex(dtype) ? 2 : 1;
  const std::size_t n = reference.size() / size;
  statistics.inputs += static_cast<std::int64_t>(n);
  Comparison compare(is_complex(dtype) ? to_real(dtype) : dtype);
  for (std::size_t block = 0; block < n; block += kBlock) {
    const std::size_t count = std::min(kBlock, n - block);
    const std::byte* a = reference.data() + block * size;
    const std::byte* b = other.data() + block * size;
    if (std::memcmp(a, b, count * size) == 0) continue;
    compare.load(a, b, count * parts);
    for (std::size_t i = 0; i < count; ++i) {
      PartDifference worse;
      for (std::size_t part = 0; part < parts; ++part) {
        const PartDifference difference = compare(i * parts + part);
        worse.kind = std::max(worse.kind, difference.kind);
        worse.steps = std::max(worse.steps, difference.steps);
      }
      using Kind = PartDifference::Kind;
      if (worse.kind == Kind::kNone) continue;
      if (worse.kind == Kind::kNanBits) {
        ++statistics.nan_bits;
        continue;
      }
      const PathDifference row{worse.steps, first + block + i, bits_of(a + i * size, size),
                               bits_of(b + i * size, size)};
      statistics.first.add(without_error(row));
      if (worse.kind == Kind::kMisplaced) {
        ++statistics.misplaced;
        statistics.first_misplaced.add(without_error(row));
        continue;
      }
      ++statistics.stepped;
      statistics.worst.add(row);
      const auto& edges = PathStatistics::kEdges;
      ++statistics.histogram[static_cast<std::size_t>(
          std::lower_bound(edges.begin(), edges.end(), row.error) - edges.begin())];
    }
  }
}

}  // namespace upcast::tools
