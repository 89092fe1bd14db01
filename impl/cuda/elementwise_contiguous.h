// The kernel for dense operands that all have the common dtype. It reads and writes vectors of 16
// or 32 bytes.
#pragma once

#include "impl/core/element.h"
#include "impl/cuda/compute.h"
#include "impl/cuda/element_registers.h"
#include "impl/cuda/kernel_args.h"

namespace upcast {

/// Bytes of an operand's vector. Loads and stores of 32 bytes exist from compute capability 10.0
/// on. The host's code has 16 bytes, as older devices have. DeviceModel::vector_bytes must have the
/// same value.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

namespace internal {

/// The type in which tensors store values of the compute type T.
template <class T>
struct StoredAs {
  using type = T;
};
template <>
struct StoredAs<bool> {
  using type = StoredBool;
};

/// The type in which tensors store a result of type R, if tensors store the operands as S.
template <class S, class R, class T>
struct ResultStoredAs {
  using type = S;
};
template <class S, class T>
struct ResultStoredAs<S, bool, T> {
  using type = StoredBool;
};
template <class T>
struct ResultStoredAs<Complex<T>, T, Complex<T>> {
  using type = T;
};

inline constexpr int kMaxVectorBytes = 32;

template <class S, class T, int N>
UPCAST_HOST_DEVICE std::array<T, N> read_values(const ContiguousArgs& args, int input,
                                                std::uint32_t first) {
  std::array<T, N> values;
  if (args.access[input] == Access::kConstant) {
    for (T& value : values) value = args.constants[input].template as<T>();
  } else if (args.access[input] == Access::kRepeated) {
    const T value = convert<T>(*reinterpret_cast<const S*>(args.inputs[input]));
    for (T& each : values) each = value;
  } else {
    const auto stored = *reinterpret_cast<const Vector<S, N, kMaxVectorBytes>*>(
        args.inputs[input] + std::uint64_t{first} * sizeof(S));
    for (int i = 0; i < N; ++i) values[i] = convert<T>(stored.values[i]);
  }
  return values;
}

template <class Result, class R, std::size_t N>
UPCAST_HOST_DEVICE void write_values(const ContiguousArgs& args, std::uint32_t first,
                                     const std::array<R, N>& results) {
  using Stored = Vector<Result, N, kMaxVectorBytes>;
  Stored stored;
  for (std::size_t i = 0; i < N; ++i) stored.values[i] = convert<Result>(results[i]);
  *reinterpret_cast<Stored*>(args.output + std::uint64_t{first} * sizeof(Result)) = stored;
}

template <class O, class T, class S, int Bytes, std::size_t... I>
UPCAST_HOST_DEVICE void run_contiguous(LaunchIndex at, const ContiguousArgs& args,
                                       std::index_sequence<I...>) {
  using R = ResultOf<O, T, I...>;
  using Result = typename ResultStoredAs<S, R, T>::type;
  using Params = typename ParamsOf<O, T>::type;
  constexpr int kVector = Bytes / static_cast<int>(sizeof(S));
  const Params& params = *reinterpret_cast<const Params*>(args.params.bytes.data());
  Fault raised;
  for (std::uint32_t vector = first_group(at); vector < args.elements.vectors;
       vector += at.all_threads()) {
    const std::uint32_t first = args.elements.first_element(vector);
    const std::array<std::array<T, kVector>, sizeof...(I)> values{
        read_values<S, T, kVector>(args, I, first)...};
    std::array<R, kVector> results;
    for (int i = 0; i < kVector; ++i) results[i] = compute<O, T>(params, raised, values[I][i]...);
    write_values<Result>(args, first, results);
  }
  for (std::uint32_t single = first_group(at); single < args.elements.singles();
       single += at.all_threads()) {
    const std::uint32_t element = args.elements.single_element(single);
    const std::array<R, 1> result{
        compute<O, T>(params, raised, read_values<S, T, 1>(args, I, element)[0]...)};
    write_values<Result>(args, element, result);
  }
  if (raised.zero_division && args.fault != nullptr) args.fault->zero_division = true;
}

}  // namespace internal

/// What one thread of the launch does. O is the op's struct, T its compute type, and S the type
/// that its tensors hold.
template <class O, class T, class S, int Bytes = kVectorBytes>
UPCAST_HOST_DEVICE void elementwise_contiguous(LaunchIndex at, const ContiguousArgs& args) {
  internal::run_contiguous<O, T, S, Bytes>(
      at, args, std::make_index_sequence<internal::operand_count(O::spec)>{});
}

}  // namespace upcast
