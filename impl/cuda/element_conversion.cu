// The conversions of element_conversion.cc, compiled for the device.
#include "impl/cuda/element_conversion.cc"
