// A real number within rigorous bounds: Arb's ball arithmetic with values and operators.
// Source: F. Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval arithmetic",
// IEEE Transactions on Computers 66(8), 2017.
#pragma once

#include <arb.h>

#include <cmath>

namespace upcast::truth {

/// An interval that surely holds the exact value. Operations on it work with `precision` bits and
/// bound their own error. The interval is not finite if a function has a pole or no value there.
class Ball {
 public:
  Ball(double exact, slong precision) : precision_(precision) {
    arb_init(value_);
    arb_set_d(value_, exact);
  }
  explicit Ball(slong precision) : Ball(0, precision) {}
  Ball(const Ball& other) : precision_(other.precision_) {
    arb_init(value_);
    arb_set(value_, other.value_);
  }
  Ball(Ball&& other) noexcept : precision_(other.precision_) {
    arb_init(value_);
    arb_swap(value_, other.value_);
  }
  Ball& operator=(Ball other) noexcept {
    arb_swap(value_, other.value_);
    precision_ = other.precision_;
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  arb_ptr get() { return value_; }
  arb_srcptr get() const { return value_; }
  slong precision() const { return precision_; }

  friend Ball operator-(Ball a) {
    arb_neg(a.value_, a.value_);
    return a;
  }
  friend Ball operator+(Ball a, const Ball& b) {
    arb_add(a.value_, a.value_, b.value_, a.precision_);
    return a;
  }
  friend Ball operator-(Ball a, const Ball& b) {
    arb_sub(a.value_, a.value_, b.value_, a.precision_);
    return a;
  }
  friend Ball operator*(Ball a, const Ball& b) {
    arb_mul(a.value_, a.value_, b.value_, a.precision_);
    return a;
  }
  friend Ball operator/(Ball a, const Ball& b) {
    arb_div(a.value_, a.value_, b.value_, a.precision_);
    return a;
  }
  friend Ball operator+(Ball a, double b) { return a + Ball(b, a.precision_); }
  friend Ball operator+(double a, const Ball& b) { return Ball(a, b.precision_) + b; }
  friend Ball operator-(Ball a, double b) { return a - Ball(b, a.precision_); }
  friend Ball operator-(double a, const Ball& b) { return Ball(a, b.precision_) - b; }
  friend Ball operator*(Ball a, double b) { return a * Ball(b, a.precision_); }
  friend Ball operator*(double a, const Ball& b) { return Ball(a, b.precision_) * b; }
  friend Ball operator/(Ball a, double b) { return a / Ball(b, a.precision_); }
  friend Ball operator/(double a, const Ball& b) { return Ball(a, b.precision_) / b; }

 private:
  arb_t value_;
  slong precision_;
};

/// Owns a value of a C library (arf_t, mpfr_t), and frees it.
template <class Value, auto kInit, auto kClear>
class Owned {
 public:
  template <class... Arguments>
  explicit Owned(Arguments... arguments) {
    kInit(value_, arguments...);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { kClear(value_); }
  auto* get() { return value_; }

 private:
  Value value_;
};
using Arf = Owned<arf_t, arf_init, arf_clear>;

/// Calls one of Arb's functions, with the precision of its argument.
template <auto Function>
Ball of(const Ball& x) {
  Ball result(x.precision());
  Function(result.get(), x.get(), x.precision());
  return result;
}
template <auto Function>
Ball of(const Ball& x, const Ball& y) {
  Ball result(x.precision());
  Function(result.get(), x.get(), y.get(), x.precision());
  return result;
}

inline Ball exp(const Ball& x) { return of<arb_exp>(x); }
inline Ball expm1(const Ball& x) { return of<arb_expm1>(x); }
inline Ball log(const Ball& x) { return of<arb_log>(x); }
inline Ball log1p(const Ball& x) { return of<arb_log1p>(x); }
inline Ball sqrt(const Ball& x) { return of<arb_sqrt>(x); }
inline Ball sin(const Ball& x) { return of<arb_sin>(x); }
inline Ball cos(const Ball& x) { return of<arb_cos>(x); }
inline Ball tanh(const Ball& x) { return of<arb_tanh>(x); }
Ball erf(const Ball& x);
Ball erfc(const Ball& x);

/// Whether a number is positive for certain: it is exact, or both its bounds are positive.
inline bool is_positive(const Ball& x) { return arb_is_positive(x.get()) != 0; }

/// The middle of the bounds. For an exact number that is the number itself.
inline double middle(const Ball& x) { return arf_get_d(arb_midref(x.get()), ARF_RND_NEAR); }

/// The result of a function that has no value, or whose value cannot be computed.
inline Ball indeterminate(const Ball& like) {
  Ball result(like.precision());
  arb_indeterminate(result.get());
  return result;
}

// Constants, computed with the precision of `like`.
Ball pi(const Ball& like);
Ball log_of_2(const Ball& like);

// Functions with the names of those in the standard library, so that one formula serves both Ball
// and float64.
using std::cos;
using std::erf;
using std::erfc;
using std::exp;
using std::expm1;
using std::log;
using std::log1p;
using std::sin;
using std::sqrt;
using std::tanh;
inline bool is_positive(double x) { return x > 0; }
inline double pi(double) { return 3.14159265358979323846; }
inline double log_of_2(double) { return 0.69314718055994530942; }

}  // namespace upcast::truth
