// Compares our implementation with itself: the same case asked in another way must give the same
// answer.
#pragma once

#include <memory>
#include <string>

#include "fuzz/in_process.h"

namespace upcast::fuzz {

/// Checks one case in kSample in one of these ways, in turn. A check costs as much as the case did.
///   strided   every contiguous tensor has strides of two elements instead
///   alone     one element of the result is computed from one element of each operand
///   baseline  kernels for any processor are compared with those for this one
///   emulated  the GPU's kernels run on the host
///   meta      our dtype, shape and strides without values are compared with LibTorch's
class SelfConsistency {
 public:
  /// One case in kSample is asked again, in another way.
  static constexpr std::uint64_t kSample = 8;
  static constexpr std::uint64_t kWays = 5;

  /// The names of the sides that are asked, for make_subject. A test replaces them by faulty sides.
  struct Names {
    std::string own = "impl:cpu";
    std::string baseline = "impl:cpu?capability=baseline";
    std::string emulated = "impl:emulated";
    std::string our_meta = "impl:meta";
    std::string their_meta = "libtorch:meta";
  };

  explicit SelfConsistency(InProcess& sides) : SelfConsistency(sides, Names()) {}
  SelfConsistency(InProcess& sides, Names names);

  /// Checks the case that `sides` examined last.
  void examine(const Case& c);

 private:
  void compare(Subject& other, const Case& c, std::string_view check, const std::string& name);
  void strided(const Case& c);
  void alone(const Case& c);
  void meta(const Case& c);

  InProcess& sides_;
  Names names_;
  std::unique_ptr<Subject> ours_, baseline_, emulated_, our_meta_, their_meta_;
  KnownMatcher meta_known_;
  Reply reply_, other_;
  std::uint64_t count_ = 0;
};

}  // namespace upcast::fuzz
