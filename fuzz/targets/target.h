// What an engine calls in a target.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
}
