// Two objects of lanes (lanes.h) as one. Each operation is done for both. So a loop over pairs has
// two independent chains of operations, step by step next to each other. The processor finds more
// to do at once than in two chains after one another. It takes twice the registers.
#pragma once

#include <cstdint>

namespace upcast {

template <class Lanes>
class LanePair {
 public:
  using Number = typename Lanes::Number;
  static constexpr int kRegisterBytes = Lanes::kRegisterBytes, kLanes = 2 * Lanes::kLanes;

  LanePair(Number x) : low_(x), high_(x) {}

  template <class T>
  static LanePair read(const T* values) {
    return {Lanes::read(values), Lanes::read(values + Lanes::kLanes)};
  }
  template <class T>
  void write(T* values) const {
    low_.write(values);
    high_.write(values + Lanes::kLanes);
  }

  template <class T>
  void stream(T* values) const requires requires(const Lanes& lanes) {
    lanes.stream(values);
  }
  {
    low_.stream(values);
    high_.stream(values + Lanes::kLanes);
  }
  static void end_streams() { Lanes::end_streams(); }

  friend LanePair operator-(const LanePair& a) { return {-a.low_, -a.high_}; }
  friend LanePair operator+(const LanePair& a, const LanePair& b) {
    return {a.low_ + b.low_, a.high_ + b.high_};
  }
  friend LanePair operator-(const LanePair& a, const LanePair& b) {
    return {a.low_ - b.low_, a.high_ - b.high_};
  }
  friend LanePair operator*(const LanePair& a, const LanePair& b) {
    return {a.low_ * b.low_, a.high_ * b.high_};
  }
  friend LanePair operator/(const LanePair& a, const LanePair& b) {
    return {a.low_ / b.low_, a.high_ / b.high_};
  }
  friend LanePair fused(const LanePair& a, const LanePair& b, const LanePair& c) {
    return {fused(a.low_, b.low_, c.low_), fused(a.high_, b.high_, c.high_)};
  }

  friend LanePair power_of_two(const LanePair& rounded) {
    return {power_of_two(rounded.low_), power_of_two(rounded.high_)};
  }
  friend LanePair times_power_of_two(const LanePair& x, const LanePair& rounded) {
    return {times_power_of_two(x.low_, rounded.low_), times_power_of_two(x.high_, rounded.high_)};
  }
  friend LanePair pattern_plus(const LanePair& x, std::uint64_t n) {
    return {pattern_plus(x.low_, n), pattern_plus(x.high_, n)};
  }
  friend LanePair pattern_and(const LanePair& x, std::uint64_t mask) {
    return {pattern_and(x.low_, mask), pattern_and(x.high_, mask)};
  }
  friend LanePair pattern_or(const LanePair& x, std::uint64_t mask) {
    return {pattern_or(x.low_, mask), pattern_or(x.high_, mask)};
  }
  friend LanePair upper_pattern(const LanePair& x) {
    return {upper_pattern(x.low_), upper_pattern(x.high_)};
  }
  friend LanePair with_sign(const LanePair& x, const LanePair& sign) {
    return {with_sign(x.low_, sign.low_), with_sign(x.high_, sign.high_)};
  }
  friend LanePair if_zero(const LanePair& test, const LanePair& then, const LanePair& otherwise) {
    return {if_zero(test.low_, then.low_, otherwise.low_),
            if_zero(test.high_, then.high_, otherwise.high_)};
  }
  friend LanePair if_below(const LanePair& test, Number limit, const LanePair& then,
                           const LanePair& otherwise) {
    return {if_below(test.low_, limit, then.low_, otherwise.low_),
            if_below(test.high_, limit, then.high_, otherwise.high_)};
  }
  friend LanePair magnitude_up_to(const LanePair& x, Number limit) {
    return {magnitude_up_to(x.low_, limit), magnitude_up_to(x.high_, limit)};
  }
  friend LanePair positive_part(const LanePair& x) {
    return {positive_part(x.low_), positive_part(x.high_)};
  }
  friend LanePair rsqrt_estimate(const LanePair& x) {
    return {rsqrt_estimate(x.low_), rsqrt_estimate(x.high_)};
  }

 private:
  LanePair(const Lanes& low, const Lanes& high) : low_(low), high_(high) {}

  Lanes low_, high_;
};

}  // namespace upcast
