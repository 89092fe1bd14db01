// Which elements a thread takes. Elements form groups of kGroup. A thread takes a group, and then
// goes on by as many groups as there are threads in the launch, until none is left.
#pragma once

#include <array>

#include "impl/cuda/launch_index.h"

namespace upcast {

inline constexpr std::uint32_t kGroup = 4;
inline constexpr std::uint32_t kLanes = 32;  // threads of a warp

/// The elements that a thread takes at once. The elements of a vector are neighbours, and the first
/// one is aligned for every operand. Other elements are read one by one. If fewer than kGroup are
/// left, the first one is repeated.
struct ElementGroup {
  std::array<std::uint32_t, kGroup> elements;
  std::uint32_t count;  // different ones
  bool vector;
};

/// The elements of a launch: `head` single elements, then vectors, then single elements again.
/// Groups of single elements are interleaved, so that neighbouring threads take neighbouring
/// elements.
struct ElementGroups {
  std::uint32_t elements = 0;  // below 2^31
  std::uint32_t head = 0;
  std::uint32_t vectors = 0;
  std::uint32_t singles_per_group = kGroup;  // 1: one thread visits all elements in order

  UPCAST_HOST_DEVICE std::uint32_t singles() const { return elements - vectors * kGroup; }

  /// The number of groups. The last ones may be empty.
  UPCAST_HOST_DEVICE std::uint32_t count() const {
    if (singles_per_group == 1) return singles();
    return vectors + (singles() + kLanes * kGroup - 1) / (kLanes * kGroup) * kLanes;
  }

  /// The group with this number, which is below count().
  UPCAST_HOST_DEVICE ElementGroup group(std::uint32_t number) const {
    ElementGroup made{};
    if (number < vectors) {
      made.count = kGroup;
      made.vector = true;
      for (std::uint32_t i = 0; i < kGroup; ++i) made.elements[i] = head + number * kGroup + i;
      return made;
    }
    const std::uint32_t lane = (number - vectors) % kLanes;
    const std::uint32_t first = (number - vectors - lane) * singles_per_group + lane;
    for (std::uint32_t i = 0; i < kGroup; ++i) {
      const std::uint32_t single = first + i * kLanes;
      const bool is_there = i < singles_per_group && single < singles();
      made.count += is_there ? 1 : 0;
      made.elements[i] = !is_there       ? made.elements[0]
                         : single < head ? single
                                         : single + vectors * kGroup;
    }
    return made;
  }
};

/// The number of the first group that a thread takes.
UPCAST_HOST_DEVICE inline std::uint32_t first_group(LaunchIndex at) {
  return at.block * at.threads + at.thread;
}

/// Dense elements in vectors of `width` elements: `head` single elements, then vectors, then single
/// elements again. Threads take vectors and single elements in the same steps as groups.
struct VectorElements {
  std::uint32_t elements = 0;  // below 2^31
  std::uint32_t head = 0;
  std::uint32_t vectors = 0;
  std::uint32_t width = 1;

  UPCAST_HOST_DEVICE std::uint32_t first_element(std::uint32_t vector) const {
    return head + vector * width;
  }
  UPCAST_HOST_DEVICE std::uint32_t singles() const { return elements - vectors * width; }
  UPCAST_HOST_DEVICE std::uint32_t single_element(std::uint32_t single) const {
    return single < head ? single : single + vectors * width;
  }
};

}  // namespace upcast
