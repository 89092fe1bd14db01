// Whether a sanitizer is built in. Its shadow of all memory counts as memory that a process holds,
// so no limit of memory can be kept.
#pragma once

namespace upcast {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace upcast
