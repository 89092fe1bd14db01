// LibTorch's settings for a whole process, which decide the bits of its answers.
#pragma once

#include <map>
#include <string>

namespace upcast::libtorch {

/// Which kernels LibTorch picks (ATEN_CPU_CAPABILITY). kDefault has no FMA and no vector maths, so
/// that almost every op equals plain scalar C++ bit for bit. kNative is what a user's process gets.
/// kAvx2 is what it gets on a processor without AVX-512. UPCAST_CAPABILITY limits kNative.
enum class Capability : unsigned char { kDefault, kAvx2, kNative };

/// Sets LibTorch up; call it before the first op. It sets the capability and one thread. It
/// switches oneDNN off unless oneDNN is asked for. It also switches off warnings and stack traces;
/// a stack trace would cost more than a microsecond for each refusal. LibTorch reads its capability
/// once in a process, so a second call with other settings throws UsageError. So does kAvx2 on a
/// machine without AVX2.
void configure(Capability capability, bool onednn = false);

/// Switches LibTorch's warnings off in this thread. Each thread that answers cases must call it.
void silence_warnings_of_this_thread();

/// The versions that answers depend on: {"libtorch": "2.15.0", "libtorch.capability": "DEFAULT"}.
std::map<std::string, std::string> versions();

}  // namespace upcast::libtorch
