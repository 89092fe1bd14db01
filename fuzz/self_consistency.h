// Our implementation beside itself: other ways to the same answer.
#pragma once

#include <memory>

#include "fuzz/in_process.h"

namespace upcast::fuzz {

/// Of each case one way, chosen by the case's own hash, and of most none: they cost as much as the
/// case did.
///   strided   every contiguous tensor lies with steps of two instead
///   alone     one element of the result, from one element of each operand
///   baseline  kernels for any processor beside those for this one
///   emulated  the GPU's kernels, run on the host
///   meta      dtype, shape and strides where nothing is computed; ours beside LibTorch's
class SelfConsistency {
 public:
  explicit SelfConsistency(InProcess& sides);

  /// The case that `sides` examined last.
  void examine(const Case& c);

 private:
  void beside(Subject& other, const Case& c, std::string_view check);
  void strided(const Case& c);
  void alone(const Case& c);
  void meta(const Case& c);

  InProcess& sides_;
  std::unique_ptr<Subject> ours_, baseline_, emulated_, our_meta_, their_meta_;
  KnownMatcher meta_known_;
  Reply reply_, other_;
  std::uint64_t count_ = 0;
};

}  // namespace upcast::fuzz
