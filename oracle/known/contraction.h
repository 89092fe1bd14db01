// Contraction into FMA: a compiler may round a * b + c once instead of twice. The compiler chooses
// which products of a formula it fuses. Its choice differs between a loop's body, its tail and its
// strided form.
#pragma once

#include <array>
#include <cmath>

#include "impl/core/complex.h"
#include "impl/core/error.h"

namespace upcast::models {

/// One way to contract a formula. The formula asks it at each of its sums of products, always in
/// the same order.
///
///   Contraction way;
///   do { ... formula(way) ... } while (way.next());
class Contraction {
 public:
  /// Computes a * b + c. In some ways the product is fused, in others it is rounded first.
  template <class T>
  T product_plus(T a, T b, T c) {
    return choose(2) == 0 ? a * b + c : std::fma(a, b, c);
  }

  /// Computes a * b + c * d. The way fuses one of the products, or none.
  template <class T>
  T sum_of_products(T a, T b, T c, T d) {
    switch (choose(3)) {
      case 0:
        return a * b + c * d;
      case 1:
        return std::fma(a, b, c * d);
      default:
        return std::fma(c, d, a * b);
    }
  }

  /// Computes -(a * b + c * d). If the minus is fused too, a sum that cancels is +0 and not -0.
  template <class T>
  T minus_sum_of_products(T a, T b, T c, T d) {
    return choose(2) == 0 ? -sum_of_products(a, b, c, d) : sum_of_products(-a, b, -c, d);
  }

  template <class T>
  Complex<T> product(Complex<T> a, Complex<T> b) {
    const T re = sum_of_products(a.re, b.re, -a.im, b.im);
    return {re, sum_of_products(a.re, b.im, a.im, b.re)};
  }

  /// Chooses one of several formulas for the same value. Returns a number less than `ways`.
  int choose(int ways) {
    check(site_ < kMaxSites, "a formula has few sums of products");
    ways_[site_] = ways;
    return choice_[site_++];
  }

  /// Goes on to the next way. After the last one it returns false, and begins again with the first.
  bool next() {
    int last = site_;
    site_ = 0;
    while (last > 0 && ++choice_[last - 1] == ways_[last - 1]) choice_[--last] = 0;
    return last > 0;
  }

 private:
  static constexpr int kMaxSites = 12;
  std::array<int, kMaxSites> choice_{};
  std::array<int, kMaxSites> ways_{};
  int site_ = 0;
};

}  // namespace upcast::models
