#include "fuzz/shape_codec.h"

#include <algorithm>

#include "cases/layout.h"

namespace upcast::fuzz {
namespace {

constexpr std::uint8_t kDropMask = 3;
constexpr int kOnesShift = 2;
constexpr std::uint8_t kZeroDimShape = 0x40;
constexpr std::uint8_t kExplicitShape = 0xc0;
constexpr std::uint8_t kKindMask = 0x0f;
constexpr std::uint8_t kShares = 0x10;
constexpr std::uint8_t kHasOffset = 0x20;

std::int64_t span_with(const Dims& sizes, const Dims& strides) {
  return strides.empty() ? numel(sizes) : span_of(sizes, strides);
}

std::optional<std::uint8_t> size_index(std::int64_t size) {
  const auto found = std::find(kSizes.begin(), kSizes.end(), size);
  if (found == kSizes.end()) return std::nullopt;
  return static_cast<std::uint8_t>(found - kSizes.begin());
}

bool too_many(const Dims& sizes) {
  std::int64_t count = 1;  // product of the sizes that are not 0, which bounds strides too
  for (std::int64_t size : sizes) count *= std::max<std::int64_t>(1, size);
  return count > kMaxElements;
}

std::uint8_t ones_of(const Dims& sizes, const Dims& master) {
  const std::size_t drop = master.size() - sizes.size();
  std::uint8_t ones = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 1 && master[drop + d] != 1) ones |= static_cast<std::uint8_t>(1 << d);
  return ones;
}

/// Whether `sizes` broadcasts to `master`: some leading dimensions are left out, and some others
/// have size 1.
bool is_role_of(const Dims& master, const Dims& sizes) {
  if (sizes.empty()) return true;
  if (sizes.size() > master.size() || master.size() - sizes.size() > kDropMask) return false;
  const std::size_t drop = master.size() - sizes.size();
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1 && sizes[d] != master[drop + d]) return false;
  return true;
}

}  // namespace

Dims strides_of(StrideKind kind, const Dims& sizes) {
  Dims strides = contiguous_strides(sizes);
  const std::size_t rank = sizes.size();
  if (rank == 0) return {};
  switch (kind) {
    case StrideKind::kContiguous:
    case StrideKind::kExplicit:
      break;
    case StrideKind::kPermuted:
      strides = reversed_strides(sizes);
      break;
    case StrideKind::kExpandedFirst:
      strides.front() = 0;
      break;
    case StrideKind::kExpandedLast:
      strides.back() = 0;
      break;
    case StrideKind::kExpandedAll:
      std::fill(strides.begin(), strides.end(), 0);
      break;
    case StrideKind::kStepTwo:
      strides = times(strides, 2);
      break;
    case StrideKind::kTransposedLast:
      if (rank >= 2) {
        strides[rank - 2] = 1;
        strides[rank - 1] = std::max<std::int64_t>(1, sizes[rank - 2]);
      }
      break;
    case StrideKind::kChannelsLast:
      if (rank == 4) strides = dense_strides(sizes, {1, 3, 2, 0});
      break;
    case StrideKind::kOverlapping:
      std::fill(strides.begin(), strides.end(), 1);
      break;
    case StrideKind::kStepThreeOuter:
      if (rank >= 2)
        for (std::size_t d = 0; d + 1 < rank; ++d) strides[d] *= 3;
      break;
  }
  if (strides == contiguous_strides(sizes)) strides.clear();
  return strides;
}

void read_sizes(ByteReader& reader, std::size_t rank, Dims& sizes) {
  sizes.clear();
  std::uint8_t pair = 0;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    pair = d % 2 == 0 ? reader.next() : static_cast<std::uint8_t>(pair >> 4);
    std::int64_t size = kSizes[pair & 0x0f];
    if (count * std::max<std::int64_t>(1, size) > kMaxElements) size = 1;
    count *= std::max<std::int64_t>(1, size);
    sizes.push_back(size);
  }
}

bool write_sizes(ByteWriter& writer, const Dims& sizes) {
  if (sizes.size() > kMaxRank || too_many(sizes)) return false;
  std::uint8_t pair = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto index = size_index(sizes[d]);
    if (!index) return false;
    pair = d % 2 == 0 ? *index : static_cast<std::uint8_t>(pair | *index << 4);
    if (d % 2 == 1 || d + 1 == sizes.size()) writer.put(pair);
  }
  return true;
}

void read_shape(ByteReader& reader, const Dims& master, Dims& sizes) {
  const std::uint8_t shape = reader.next();
  if ((shape & kExplicitShape) == kExplicitShape) {
    const std::size_t rank = reader.next() % (kMaxRank + 1);
    read_sizes(reader, rank, sizes);
    return;
  }
  const std::size_t drop = shape & kDropMask;
  if ((shape & kExplicitShape) == kZeroDimShape || drop >= master.size()) {
    sizes.clear();
    return;
  }
  sizes.assign(master.begin() + static_cast<std::ptrdiff_t>(drop), master.end());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (shape >> (kOnesShift + d) & 1) sizes[d] = 1;
}

bool write_shape(ByteWriter& writer, const Dims& master, const Dims& sizes) {
  if (sizes.empty()) {
    writer.put(master.empty() ? 0 : kZeroDimShape);
    return true;
  }
  if (is_role_of(master, sizes)) {
    const std::size_t drop = master.size() - sizes.size();
    writer.put(static_cast<std::uint8_t>(drop | ones_of(sizes, master) << kOnesShift));
    return true;
  }
  writer.put(kExplicitShape);
  writer.put(static_cast<std::uint8_t>(sizes.size()));
  return write_sizes(writer, sizes);
}

void read_layout(ByteReader& reader, const Dims& sizes, Layout& layout) {
  const std::uint8_t byte = reader.next();
  const std::uint8_t kind = byte & kKindMask;
  layout = Layout();
  if (byte & kShares) layout.owner = reader.next();
  if (byte & kHasOffset) layout.offset = reader.next();
  if (kind == static_cast<std::uint8_t>(StrideKind::kExplicit)) {
    for (std::size_t d = 0; d < sizes.size(); ++d) layout.strides.push_back(reader.next());
    if (layout.strides == contiguous_strides(sizes)) layout.strides.clear();
  } else {
    layout.strides = strides_of(static_cast<StrideKind>(kind % kStrideKinds), sizes);
  }
  if (span_with(sizes, layout.strides) > kMaxSpan) layout.strides.clear();
}

bool write_layout(ByteWriter& writer, const Dims& sizes, const Layout& layout) {
  if (layout.offset < 0 || layout.offset > 255) return false;
  if (!layout.strides.empty() &&
      (layout.strides.size() != sizes.size() || layout.strides == contiguous_strides(sizes)))
    return false;
  if (span_with(sizes, layout.strides) > kMaxSpan) return false;
  auto kind = static_cast<int>(StrideKind::kExplicit);
  for (int k = 0; k < kStrideKinds && kind == static_cast<int>(StrideKind::kExplicit); ++k)
    if (strides_of(static_cast<StrideKind>(k), sizes) == layout.strides) kind = k;
  writer.put(static_cast<std::uint8_t>(kind | (layout.owner ? kShares : 0) |
                                       (layout.offset != 0 ? kHasOffset : 0)));
  if (layout.owner) writer.put(*layout.owner);
  if (layout.offset != 0) writer.put(static_cast<std::uint8_t>(layout.offset));
  if (kind != static_cast<int>(StrideKind::kExplicit)) return true;
  for (const std::int64_t stride : layout.strides) {
    if (stride < 0 || stride > 255) return false;
    writer.put(static_cast<std::uint8_t>(stride));
  }
  return true;
}

}  // namespace upcast::fuzz
