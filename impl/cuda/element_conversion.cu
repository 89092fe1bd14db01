// The same conversions for the device.
#include "impl/cuda/element_conversion.cc"
