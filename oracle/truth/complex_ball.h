// Complex numbers made of two balls, or of two values that follow each rounding, with the
// arithmetic of the textbook.
#pragma once

#include <acb.h>

#include "oracle/truth/steps.h"

namespace upcast::truth {

/// A complex number. T is Ball, whose results are rigorous, or Steps, which follow the rounding of
/// each step.
template <class T>
struct Pair {
  T re, im;

  friend Pair operator-(const Pair& a) { return {-a.re, -a.im}; }
  friend Pair operator+(const Pair& a, const Pair& b) { return {a.re + b.re, a.im + b.im}; }
  friend Pair operator-(const Pair& a, const Pair& b) { return {a.re - b.re, a.im - b.im}; }
  friend Pair operator*(const Pair& a, const Pair& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Pair operator/(const Pair& a, const Pair& b) {
    const T size = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
  }
  friend Pair operator-(double a, const Pair& b) { return {a - b.re, -b.im}; }
  friend Pair operator+(double a, const Pair& b) { return {b.re + a, b.im}; }
  friend Pair conj(const Pair& a) { return {a.re, -a.im}; }
};

using ComplexBall = Pair<Ball>;

/// Calls one of acb's functions, with the precision of its argument.
template <auto Function, class... More>
ComplexBall of(const ComplexBall& x, const More&... more) {
  struct Acb : Owned<acb_t, acb_init, acb_clear> {
    Acb() = default;
    explicit Acb(const ComplexBall& ball) {
      arb_set(acb_realref(get()), ball.re.get());
      arb_set(acb_imagref(get()), ball.im.get());
    }
  };
  Acb result;
  Function(result.get(), Acb(x).get(), Acb(more).get()..., x.re.precision());
  ComplexBall ball{Ball(x.re.precision()), Ball(x.re.precision())};
  arb_swap(ball.re.get(), acb_realref(result.get()));
  arb_swap(ball.im.get(), acb_imagref(result.get()));
  return ball;
}

}  // namespace upcast::truth
