// Compares our implementation with itself, on other ways to the same answer.
#pragma once

#include <memory>
#include <string>

#include "fuzz/in_process.h"

namespace upcast::fuzz {

/// Checks one case in kSample in one of these ways in turn: it costs as much as the case did.
///   strided   every contiguous tensor lies with steps of two instead
///   alone     one element of the result, from one element of each operand
///   baseline  kernels for any processor against those for this one
///   emulated  the GPU's kernels, run on the host
///   meta      dtype, shape and strides where nothing is computed; ours against LibTorch's
class SelfConsistency {
 public:
  /// One case in so many is asked in another way.
  static constexpr std::uint64_t kSample = 8;
  static constexpr std::uint64_t kWays = 5;

  /// The names of the sides, for make_subject. A test has others.
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
