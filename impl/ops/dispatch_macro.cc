#include "impl/ops/dispatch_macro.h"

#include <algorithm>
#include <array>

namespace upcast {
namespace {

constexpr DTypeSet kAllTypes = kIntegers | kFullFloats;

constexpr std::array<DispatchMacro, 6> kMacros{{
    {"AT_DISPATCH_COMPLEX_TYPES", kFullComplex, "_AND", 2},
    {"AT_DISPATCH_FLOATING_TYPES", kFullFloats, "_AND", 5},
    {"AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES", kFullFloats | kFullComplex, "_AND1", 6},
    {"AT_DISPATCH_INTEGRAL_TYPES", kIntegers, "_AND", 1},
    {"AT_DISPATCH_ALL_TYPES", kAllTypes, "_AND", 3},
    {"AT_DISPATCH_ALL_TYPES_AND_COMPLEX", kAllTypes | kFullComplex, "_AND", 8},
}};

/// How the dtypes of some ops' kernels on CUDA differ from those on a CPU: `more` are only on CUDA,
/// `fewer` only on a CPU.
struct OnCuda {
  std::string_view ops;  // names of the ops, separated by blanks
  DTypeSet more{}, fewer{};
};

// Source: the fields dtypes and dtypesIfCUDA of OpInfo in PyTorch 2.15.0.
// tools/catalogue/cuda_dtypes.py compares this table with them.
constexpr std::array<OnCuda, 4> kOnCuda{{
    {" div pow exp log sqrt rsqrt logaddexp sin cos tan asin acos atan angle sinh cosh tanh asinh "
     "acosh atanh sigmoid lerp ",
     kComplexHalf},
    {" abs ", kBools},
    {" igamma igammac ", {}, kReducedFloats},
    {" native_dropout_backward ", {}, kBools | kIntegers},
}};

bool is_in(std::string_view ops, std::string_view name) {
  return ops.find(" " + std::string(name) + " ") != ops.npos;
}

void append(std::string& list, std::string_view entry) {
  list.append(list.empty() ? "" : ", ").append(entry);
}

}  // namespace

std::span<const DispatchMacro> dispatch_macros() { return kMacros; }

std::string dispatch_macro(DTypeSet dtypes) {
  if (dtypes.empty()) return "";
  const auto covering = std::find_if(
      kMacros.rbegin(), kMacros.rend(),
      [dtypes](const DispatchMacro& macro) { return (macro.dtypes - dtypes).empty(); });
  const bool none = covering == kMacros.rend();
  const DTypeSet added = none ? dtypes : dtypes - covering->dtypes;
  std::string list;
  for (const DType dtype : added.dtypes()) append(list, "k" + std::string(info(dtype).c10_name));
  if (!none && added.size() <= covering->most_added) {
    const std::string name(covering->name);
    if (added.empty()) return name;
    const std::string and_some =
        added.size() == 1 ? std::string(covering->and_one) : "_AND" + std::to_string(added.size());
    return name + and_some + "(" + list + ")";
  }
  constexpr std::string_view kPrefix = "AT_DISPATCH_";
  const std::string types =
      none ? "" : "AT_EXPAND(AT_" + std::string(covering->name.substr(kPrefix.size())) + ")";
  return "AT_DISPATCH_V2(" + types + (none ? "" : ", ") + list + ")";
}

DTypeSet kernel_dtypes(const OpSpec& spec, Device device) {
  DTypeSet dtypes = spec.dtypes;
  if (device != Device::kCuda || dtypes.empty()) return dtypes;
  for (const OnCuda& row : kOnCuda)
    if (is_in(row.ops, spec.name)) dtypes = (dtypes | row.more) - row.fewer;
  return dtypes;
}

}  // namespace upcast
