#include "oracle/known/normal_models.h"

#include <cmath>

#include "impl/math/erfcx.h"
#include "oracle/known/model_maps.h"

namespace upcast {

using namespace models;

std::optional<Answer> log_ndtr_of_a_rounded_argument(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    const T t = x * static_cast<T>(0.70710678118654752440);
    if (!(x < -1)) return std::log1p(-std::erfc(t) / 2);
    return std::log(static_cast<T>(upcast::erfcx(-t)) / 2) - t * t;
  });
}

}  // namespace upcast
