// Collects the elementary functions of float32 whose loops GCC vectorises.
#pragma once

#include "impl/math/float_bessel.h"
#include "impl/math/float_exponential.h"
#include "impl/math/float_special.h"
#include "impl/math/float_trigonometric.h"
