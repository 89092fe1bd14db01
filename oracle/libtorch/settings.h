// LibTorch's process-wide settings: those that decide which bits it answers with.
#pragma once

#include <map>
#include <string>

namespace upcast::libtorch {

/// Which kernels LibTorch picks: ATEN_CPU_CAPABILITY. kDefault has no FMA and no vector maths, so
/// almost every op equals plain scalar C++ bit for bit; kNative is what a user's process gets, and
/// kAvx2 what one gets on a processor without AVX-512. UPCAST_CAPABILITY limits kNative.
enum class Capability : unsigned char { kDefault, kAvx2, kNative };

/// Sets LibTorch up; call it before the first op. It sets the capability and one thread, and
/// switches oneDNN off unless it is asked for. It switches warnings and stack traces off (a stack
/// trace costs more than a microsecond for each refusal). LibTorch reads its capability once in a
/// process, so a second call with other settings throws UsageError. So does kAvx2 on a machine
/// without AVX2.
void configure(Capability capability, bool onednn = false);

/// Switches warnings off. They are set for each thread: call it in each one that answers cases.
void silence_warnings_of_this_thread();

/// The versions: {"libtorch": "2.15.0", "libtorch.capability": "DEFAULT"}.
std::map<std::string, std::string> versions();

}  // namespace upcast::libtorch
