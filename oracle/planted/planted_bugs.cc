#include "oracle/planted/planted_bugs.h"

namespace upcast {
namespace {

using enum DType;
using enum Rule;
using enum StrideMistake;

constexpr PlantedWhere op(std::string_view name, DTypeSet commons = kElementwise) {
  return {name, commons};
}
constexpr PlantedWhere common(DTypeSet commons) { return {"", commons}; }

constexpr PlantedBug kBugs[] = {
    // rules
    {"floating-number-keeps-float64", "add.Tensor(int32[2], 2.5)",
     WithoutRule{kFloatingNumbersTakeTheDefault}},
    {"zero-dim-counts-as-dim", "add.Tensor(int32[2], int64[])",
     WithoutRule{kZeroDimTensorsFillTheZeroSlot}},
    {"number-counts-as-tensor", "add.Tensor(int8[], 7)", WithoutRule{kNumbersFillTheWrappedSlot}},
    {"complex-number-has-no-default", "add.Tensor(int32[2], 1+2j)",
     WithoutRule{kComplexNumbersTakeTheDefaultComplex}},
    {"higher-floating-gives-way", "add.Tensor(float16[2], float64[])",
     WithoutRule{kHigherFloatingStays}},
    {"lower-floating-is-ignored", "add.Tensor(int32[2], float16[])",
     WithoutRule{kLowerFloatingPromotes}},
    {"higher-integral-gives-way", "add.Tensor(int8[2], int64[])",
     WithoutRule{kHigherIntegralStays}},
    {"integral-is-not-made-floating", "sqrt(int32[2])", WithoutRule{kIntegralBecomesDefault}},
    {"comparison-keeps-its-dtype", "lt.Tensor(int32[2], int32[2])",
     WithoutRule{kComparisonAllocatesBool}},
    {"any-out-will-do", "add.out(float32[2], float32[2], out=int32[2])",
     WithoutRule{kOutputMustBeCastable}},
    {"uint8-with-int8-is-int8", "add.Tensor(uint8[2], int8[2])", WrongCell{kUInt8, kInt8, kInt8}},
    {"float16-with-bfloat16-is-bfloat16", "add.Tensor(float16[2], bfloat16[2])",
     WrongCell{kFloat16, kBFloat16, kBFloat16}},
    {"complex64-with-float64-is-complex64", "mul.Tensor(complex64[2], float64[2])",
     WrongCell{kComplex64, kFloat64, kComplex64}},
    // functors
    {"lt-is-le", "lt.Tensor(int32[1]{1}, int32[1]{1})", OtherKernel{"le.Tensor"}, op("lt")},
    {"ge-is-gt", "ge.Tensor(float64[1]{1}, float64[1]{1})", OtherKernel{"gt.Tensor"},
     op("ge", {kFloat64})},
    {"remainder-has-the-sign-of-the-dividend", "remainder.Tensor(int32[1]{-7}, int32[1]{3})",
     OtherKernel{"fmod.Tensor"}, op("remainder")},
    {"fmod-has-the-sign-of-the-divisor", "fmod.Tensor(float32[1]{-7}, float32[1]{3})",
     OtherKernel{"remainder.Tensor"}, op("fmod", {kFloat32})},
    {"floor-is-trunc", "floor(float32[1]{-1.5})", OtherKernel{"trunc"}, op("floor")},
    {"ceil-is-round", "ceil(float64[1]{1.2})", OtherKernel{"round"}, op("ceil")},
    {"maximum-ignores-nan", "maximum(float32[1]{nan}, float32[1]{1})", OtherKernel{"fmax"},
     op("maximum")},
    {"fmin-passes-nan-on", "fmin(float64[1]{nan}, float64[1]{1})", OtherKernel{"minimum"},
     op("fmin")},
    {"xor-is-or", "bitwise_xor.Tensor(int16[1]{3}, int16[1]{1})", OtherKernel{"bitwise_or.Tensor"},
     op("bitwise_xor")},
    {"logical-or-is-xor", "logical_or(int8[1]{1}, int8[1]{1})", OtherKernel{"logical_xor"},
     op("logical_or")},
    {"gcd-is-lcm", "gcd(int64[1]{4}, int64[1]{6})", OtherKernel{"lcm"}, op("gcd")},
    {"isposinf-is-isneginf", "isposinf(float32[1]{inf})", OtherKernel{"isneginf"}, op("isposinf")},
    {"sub-is-swapped-in-int8", "sub.Tensor(int8[1]{5}, int8[1]{3})", SwappedInputs{},
     op("sub", {kInt8})},
    {"atan2-is-swapped-in-float64", "atan2(float64[1]{1}, float64[1]{2})", SwappedInputs{},
     op("atan2", {kFloat64})},
    {"pow-is-swapped-in-int16", "pow.Tensor_Tensor(int16[1]{2}, int16[1]{3})", SwappedInputs{},
     op("pow", {kInt16})},
    {"copysign-is-swapped", "copysign.Tensor(float32[1]{1}, float32[1]{-2})", SwappedInputs{},
     op("copysign")},
    {"mul-of-uint8-is-xor", "mul.Tensor(uint8[1]{5}, uint8[1]{3})",
     OtherKernel{"bitwise_xor.Tensor"}, op("mul", {kUInt8})},
    {"left-shift-goes-right-in-int64", "bitwise_left_shift.Tensor(int64[1]{4}, int64[1]{1})",
     OtherKernel{"bitwise_right_shift.Tensor"}, op("bitwise_left_shift", {kInt64})},
    // casts
    {"uint8-is-read-with-a-sign", "add.Tensor(uint8[1]{200}, int32[1]{1})", ReadAs{kUInt8, kInt8}},
    {"int8-is-read-without-a-sign", "add.Tensor(int8[1]{-1}, int32[1]{1})", ReadAs{kInt8, kUInt8}},
    {"int16-is-read-without-a-sign", "mul.Tensor(int16[1]{-1}, float32[1]{1})",
     ReadAs{kInt16, kUInt16}},
    {"uint16-is-read-with-a-sign", "add.Tensor(uint16[1]{40000}, float32[1]{1})",
     ReadAs{kUInt16, kInt16}},
    {"uint64-is-read-with-a-sign", "add.Tensor(uint64[1]{18446744073709551615}, float32[1]{1})",
     ReadAs{kUInt64, kInt64}},
    {"int32-is-read-without-a-sign", "add.Tensor(int32[1]{-1}, int64[1]{1})",
     ReadAs{kInt32, kUInt32}},
    {"float16-is-read-as-bfloat16", "add.Tensor(float16[1]{1.5}, float64[1]{1})",
     ReadAs{kFloat16, kBFloat16}},
    {"bfloat16-is-read-as-float16", "add.Tensor(bfloat16[1]{1.5}, float32[1]{1})",
     ReadAs{kBFloat16, kFloat16}},
    {"e4m3fn-is-written-as-fnuz", "copy_(float8_e4m3fn[1], float32[1]{1.5})",
     WrittenAs{kFloat8E4M3FN, kFloat8E4M3FNUZ}},
    {"float16-is-written-as-bfloat16", "add.out(float32[1]{1}, float32[1]{2}, out=float16[1])",
     WrittenAs{kFloat16, kBFloat16}},
    // strides
    {"slowest-dimension-stands", "add.Tensor(float32[2,3], float32[2,3]:permuted{1,2,3,4,5,6})",
     kSlowestStands},
    {"slowest-dimension-stands-in-int64",
     "add.Tensor(int64[2,3], int64[2,3]:permuted{1,2,3,4,5,6})", kSlowestStands, common({kInt64})},
    {"three-dimensions-run-backwards",
     "add.Tensor(float32[2,3,2]{1,2,3,4,5,6,7,8,9,10,11,12}, float32[2,3,2]:strides(1,2,6))",
     kFastestRunsBackwards},
    {"stands-beside-an-expanded-operand", "add.Tensor(float32[2,3], float32[2,1])",
     kStandsNextToExpanded},
    {"equal-sizes-change-places", "add.Tensor(float32[2,2]{1,2,3,4}, float32[2,2]:permuted)",
     kSwapsEqualSizes},
    {"stands-beside-a-strided-out", "add.out(float32[3], float32[3], out=float32[3]:strides(2))",
     kStandsNextToStridedOut},
    {"a-step-runs-backwards", "neg(float32[4]:strides(2))", kStridedRunsBackwards},
    // indexing
    {"tail-behind-16", "neg(float32[17])", TailMistake{.every = 16}},
    {"tail-behind-4-in-float64", "neg(float64[5])", TailMistake{.every = 4}, common({kFloat64})},
    {"tail-behind-32-in-int8", "neg(int8[33])", TailMistake{.every = 32}, common({kInt8})},
    {"second-operand-behind-8", "add.Tensor(float32[9], float32[9])",
     TailMistake{.every = 8, .input = 1}},
    {"third-operand-behind-2", "addcmul(float32[3], float32[3], float32[3])",
     TailMistake{.every = 2, .input = 2}},
    {"odd-last-row", "add.Tensor(float32[3,2], float32[3,2]:permuted)",
     TailMistake{.every = 2, .outermost = true}},
    {"last-of-a-whole-vector-in-int16", "neg(int16[4])", TailMistake{.every = 4, .whole = true},
     common({kInt16})},
};

}  // namespace

std::span<const PlantedBug> planted_bugs() { return kBugs; }

}  // namespace upcast
