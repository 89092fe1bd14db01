// The loop of the CPU engine. It loads operands into tiles, runs the kernel over the tiles, and
// stores the results.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/streamed_results.h"
#include "impl/cpu/walk.h"
#include "impl/ops/catalogue.h"
#include "impl/ops/result_dtypes.h"

namespace upcast::internal {

inline constexpr std::int64_t kTileBytes = 4096;
inline constexpr std::int64_t kOwnCall = 64;  // rows from this length on get a kernel call each

/// Uninitialised.
struct alignas(64) Buffer {
  Buffer() {}
  std::array<std::byte, kTileBytes> bytes;
};

/// The casts that an element goes through between memory and the functor. Most operands are first
/// cast to the common dtype: next to a float16 tensor, an int64 element is rounded to float16
/// before the compute dtype.
struct CastChain {
  CastLoop first = nullptr;
  CastLoop second = nullptr;  // the second cast; null if one is enough
  int middle_size = 0;
  bool in_place = false;  // whether no cast is needed
};

/// Whether `from` is an integral dtype of one byte, or bool, and `to` is floating or complex. Every
/// value of such a dtype is exact in every floating dtype except those of 8 bits.
inline bool is_exact(DType from, DType to) {
  return (is_bool(from) || is_integral(from)) && itemsize(from) == 1 &&
         (kFloats | kComplexes).contains(to);
}

inline CastChain cast_chain(DType from, DType middle, DType to, Capability capability) {
  const bool same = from == to && from == middle;
  if (is_exact(from, middle)) middle = to;
  // The processor converts float16 to float32, but not to a complex dtype.
  if (middle == to && is_complex(to) && kReducedFloats.contains(from)) middle = DType::kFloat32;
  if (from == middle || middle == to) return {cast_loop(from, to, capability), nullptr, 0, same};
  return {cast_loop(from, middle, capability), cast_loop(middle, to, capability), itemsize(middle),
          false};
}

/// The strides of a dense block, in bytes: its elements lie without gaps, row after row.
inline BlockStrides dense_strides(Block block, int size) {
  return {.column = size, .row = block.columns * size};
}

inline bool is_dense(BlockStrides strides, Block block, int size) {
  return strides.column == size && (block.rows == 1 || strides.row == block.columns * size);
}

// Functions that take a Block are always inlined, so that the Block stays in registers. A Block on
// the stack is slow: loading its two members at once has to wait until their separate stores, and
// all earlier stores of the tile, have reached the cache. That takes as long as a tile.

[[gnu::always_inline]] inline void run_cast(CastLoop loop, const std::byte* source,
                                            BlockStrides source_strides, std::byte* destination,
                                            BlockStrides destination_strides, Block block) {
  const bool one_row = source_strides.row == block.columns * source_strides.column &&
                       destination_strides.row == block.columns * destination_strides.column;
  loop(source, source_strides, destination, destination_strides,
       one_row ? Block{.columns = block.size()} : block);
}

[[gnu::always_inline]] inline void run_chain(const CastChain& chain, const std::byte* source,
                                             BlockStrides source_strides, std::byte* destination,
                                             BlockStrides destination_strides, Block block,
                                             Buffer& middle) {
  if (chain.second == nullptr) {
    run_cast(chain.first, source, source_strides, destination, destination_strides, block);
    return;
  }
  const BlockStrides between = dense_strides(block, chain.middle_size);
  run_cast(chain.first, source, source_strides, middle.bytes.data(), between, block);
  run_cast(chain.second, middle.bytes.data(), between, destination, destination_strides, block);
}

/// Fills `total` bytes with copies of the first `filled` bytes.
inline void repeat(std::byte* bytes, std::int64_t filled, std::int64_t total) {
  for (; filled < total; filled *= 2)
    std::memcpy(bytes + filled, bytes, std::min(filled, total - filled));
}

/// Whether an operand has only one element, which is used for all results.
inline bool is_one_element(const PlanOperand& operand) {
  return std::ranges::all_of(operand.strides, [](std::int64_t stride) { return stride == 0; });
}

inline bool varies(const PlanOperand& operand) {
  return operand.dtype != DType::kUndefined && !is_one_element(operand);
}

/// Whether the op's packed kernel can read the plan's operands: every operand that varies has to be
/// rounded to the common dtype.
inline bool takes_packed(const IteratorPlan& plan, DType common) {
  const auto inputs = std::span(plan.inputs).first(plan.input_count);
  return !plan.in_order && std::ranges::all_of(inputs, [common](const PlanOperand& input) {
    return !varies(input) || input.through == common;
  });
}

/// The dtype whose kernel moves elements of `dtype` unchanged: an integer of the same size. Bool
/// stays bool, whose kernel makes every byte 0 or 1.
constexpr DType moved_as(DType dtype) {
  if (is_bool(dtype)) return dtype;
  switch (itemsize(dtype)) {
    case 1:
      return DType::kInt8;
    case 2:
      return DType::kInt16;
    case 4:
      return DType::kInt32;
    case 8:
      return DType::kInt64;
    default:
      return dtype;
  }
}

/// The kernel and the casts for a plan. All threads share one TileProgram. The plan must outlive
/// it.
struct TileProgram {
  const IteratorPlan& plan;
  Kernel kernel = nullptr;
  PackedKernel packed = nullptr;  // the packed kernel; if not null, it runs instead of `kernel`
  unsigned wide = 0;              // bit i: `packed` reads operand i as one float32
  std::array<Kernel, 2> broadcast{};
  StridedKernel strided = nullptr;
  KernelParams params;
  std::array<CastChain, kMaxInputs> loads{};
  std::array<int, kMaxInputs> operand_sizes{};  // bytes of an element as the kernel reads it
  std::array<FillLoop, kMaxInputs> fills{};
  std::array<CastChain, kMaxOutputs> stores{};
  std::array<int, kMaxOutputs> result_sizes{};
  std::array<bool, kMaxInputs> repeated{};  // whether an input has one element for all results
  bool streams = false;                     // whether results are streamed
  std::int64_t tile = 0;

  TileProgram(const Op& op, const Call& call, DType common, const IteratorPlan& loops,
              Capability capability)
      : plan(loops) {
    const bool moves = op.spec->moves_elements;
    const DType computed_in = moves ? moved_as(common) : compute_dtype(common);
    const KernelEntry& entry = op.kernels[code(computed_in)];
    check(bool(entry), "a plan is made only for a common dtype that has a kernel");
    kernel = entry.kernels[static_cast<int>(capability)];
    if (!moves && takes_packed(plan, common))
      packed = op.kernels[code(common)].packed[static_cast<int>(capability)];
    if (packed == nullptr && !plan.in_order) {
      if (capability >= Capability::kV3) broadcast = entry.broadcast;
      strided = entry.strided;
    }
    if (entry.make_params != nullptr) entry.make_params(params, call, common);
    int largest = itemsize(computed_in);
    for (int i = 0; i < plan.input_count; ++i) {
      const PlanOperand& input = plan.inputs[i];
      const bool is_present = input.dtype != DType::kUndefined;
      repeated[i] = is_present && is_one_element(input) && !plan.in_order;
      const bool is_wide = packed != nullptr && (repeated[i] || !is_present);
      if (is_wide) wide |= 1U << i;
      const bool is_moved = moves && op.spec->promotes(i);
      const DType taken = is_moved || (packed != nullptr && !is_wide) ? common : computed_in;
      const DType read = op.spec->is_mask(op.spec->operands[i]) ? DType::kBool : taken;
      operand_sizes[i] = itemsize(read);
      fills[i] = fill_loop(operand_sizes[i], capability);
      if (is_present) loads[i] = cast_chain(input.dtype, input.through, read, capability);
    }
    for (int i = 0; i < plan.output_count; ++i) {
      const auto [computed, rounded] = result_dtypes(entry.result, common, i);
      const DType written = moves || packed != nullptr ? rounded : computed;
      stores[i] = cast_chain(written, rounded, plan.outputs[i].dtype, capability);
      // Results need no cast if their dtype is already right. This includes bool, because a functor
      // gives only 0 or 1.
      stores[i].in_place = written == rounded && rounded == plan.outputs[i].dtype;
      result_sizes[i] = itemsize(written);
      largest = std::max(largest, result_sizes[i]);
    }
    tile = plan.in_order ? 1 : kTileBytes / largest;
    const bool is_exact = op.spec->accuracy.float32.ours == 0;
    // Where operands are loaded into small tiles, streaming saves less than that costs if results
    // are complex, or have fewer than 4 bytes.
    const bool pays = loads_in_place() || (!is_complex(common) && result_sizes[0] >= 4);
    streams = is_exact && pays && stores[0].in_place && is_streamed(plan, capability);
  }

  /// A program whose kernel reads one operand and writes one result, both in the dtypes of memory.
  TileProgram(Kernel as_stored, const KernelParams& its_params, const IteratorPlan& loops,
              Capability capability)
      : plan(loops), kernel(as_stored), params(its_params) {
    const DType from = plan.inputs[0].dtype, to = plan.outputs[0].dtype;
    loads[0] = cast_chain(from, from, from, capability);
    operand_sizes[0] = itemsize(from);
    fills[0] = fill_loop(itemsize(from), capability);
    stores[0] = cast_chain(to, to, to, capability);
    stores[0].in_place = true;
    result_sizes[0] = itemsize(to);
    tile = kTileBytes / std::max(operand_sizes[0], result_sizes[0]);
  }

  void run(std::byte* const* out, const std::byte* const* in, std::int64_t n, Fault& fault) const {
    if (packed != nullptr)
      packed(out, in, wide, n, params, fault);
    else
      kernel(out, in, n, params, fault);
  }

  bool loads_in_place() const {
    return std::ranges::all_of(std::span(loads).first(plan.input_count), &CastChain::in_place);
  }
};

/// Runs a program over a part of its plan, with buffers of its own.
class TileLoop {
 public:
  TileLoop(const TileProgram& program, std::int64_t begin)
      : program_(program),
        plan_(program.plan),
        in_(plan_.sizes, std::span(plan_.inputs).first(plan_.input_count), begin),
        out_(plan_.sizes, std::span(plan_.outputs).first(plan_.output_count), begin) {
    for (int i = 0; i < plan_.input_count; ++i) {
      inputs_[i] = buffers_[i].bytes.data();
      if (!present(i))  // such as a missing bound of clamp: the kernel reads zeros
        buffers_[i].bytes.fill(std::byte{0});
      else if (program_.repeated[i])
        load(i, 0, {.columns = program_.tile});
    }
  }

  Fault run(std::int64_t n) {
    const Rows rows = how_rows_run();
    while (n > 0) {
      const std::int64_t row = std::min(n, in_.left_in_row());
      const bool own_call = rows != Rows::kTiles && row >= kOwnCall;
      const std::int64_t step = own_call ? row : std::min(n, next_step());
      if (const Block block = in_.block(step); own_call)
        run_row(rows, step);
      else if (block.size() == step)
        run_block(block);
      else
        run_blocks(step);
      n -= step;
    }
    if (program_.streams) end_streams();
    return fault_;
  }

 private:
  bool present(int input) const { return plan_.inputs[input].dtype != DType::kUndefined; }

  /// How a long row runs: through tiles, or by a loop that reads the operands where they lie, and
  /// writes the results there unless they are streamed.
  enum class Rows { kTiles, kDense, kBroadcast, kStrided };

  /// How many elements the next step through tiles takes. A long row is cut into several tiles;
  /// several short rows are packed into one tile. Streamed tiles begin at a cache line.
  std::int64_t next_step() const {
    const std::int64_t row = in_.left_in_row();
    const std::int64_t tile = program_.tile;
    if (program_.streams)
      if (const auto rest = elements_to_cache_line(out_.pointer(0), program_.result_sizes[0]))
        return std::min(row, rest);
    if (row * 4 >= tile) return std::min(row, tile);
    return in_.in_a_row() ? row : std::max(row, tile - tile % row);
  }

  bool reads_in_place(int input, Block block) const {
    return program_.loads[input].in_place &&
           is_dense(in_.strides(input), block, program_.operand_sizes[input]);
  }
  bool writes_in_place(int output, Block block) const {
    return program_.stores[output].in_place && !program_.streams &&
           is_dense(out_.strides(output), block, program_.result_sizes[output]);
  }
  /// Whether the kernel's results need no cast and lie densely in memory.
  bool results_are_dense() const {
    if (program_.streams) return true;
    for (int i = 0; i < plan_.output_count; ++i)
      if (!writes_in_place(i, {.columns = 1})) return false;
    return true;
  }
  /// Whether the kernel reads an input as one float32, which its buffer holds.
  bool is_wide(int input) const { return (program_.wide >> input & 1) != 0; }
  /// Whether all inputs except `single` can be read where they lie: they are dense and need no
  /// cast, or are read as one element.
  bool others_are_in_place(int single) const {
    for (int i = 0; i < plan_.input_count; ++i)
      if (i != single && !is_wide(i) && !reads_in_place(i, {.columns = 1})) return false;
    return true;
  }
  bool nothing_to_convert() const {
    const auto stores = std::span(program_.stores).first(plan_.output_count);
    return program_.loads_in_place() && std::ranges::all_of(stores, &CastChain::in_place);
  }
  Rows how_rows_run() const {
    if (results_are_dense()) {
      if (others_are_in_place(-1)) return Rows::kDense;
      if (program_.broadcast[0] != nullptr && (repeats(0) || repeats(1)) &&
          others_are_in_place(repeated_operand()))
        return Rows::kBroadcast;
    }
    return program_.strided != nullptr && nothing_to_convert() ? Rows::kStrided : Rows::kTiles;
  }
  /// Whether an input has the same element for a whole row.
  bool repeats(int input) const { return in_.strides(input).column == 0; }
  int repeated_operand() const { return repeats(0) ? 0 : 1; }

  /// The operands of a loop over a part of a row.
  struct RowPart {
    std::array<const std::byte*, kMaxInputs> inputs{};
    std::array<std::byte*, kMaxOutputs> outputs{};
    std::array<std::int64_t, kMaxInputs> in_strides{};
    std::array<std::int64_t, kMaxOutputs> out_strides{};
  };

  /// Runs the next n elements, all in one row, by the given loop.
  void run_row(Rows rows, std::int64_t n) {
    RowPart part;
    for (int i = 0; i < plan_.input_count; ++i) {
      part.inputs[i] = is_wide(i) ? buffers_[i].bytes.data() : in_.pointer(i);
      part.in_strides[i] = is_wide(i) ? 0 : in_.strides(i).column;
    }
    for (int i = 0; i < plan_.output_count; ++i) {
      part.outputs[i] = out_.pointer(i);
      part.out_strides[i] = out_.strides(i).column;
    }
    if (rows == Rows::kBroadcast) {
      const int single = repeated_operand();
      part.inputs[single] = buffers_[single].bytes.data();
      if (!program_.repeated[single]) load(single, 0, {.columns = 1});
    }
    if (program_.streams)
      stream_row(rows, part, n);
    else
      run_part(rows, part, n);
    in_.advance({.columns = n});
    out_.advance({.columns = n});
  }

  void run_part(Rows rows, const RowPart& part, std::int64_t n) {
    if (rows == Rows::kDense)
      program_.run(part.outputs.data(), part.inputs.data(), n, fault_);
    else if (rows == Rows::kBroadcast)
      program_.broadcast[repeated_operand()](part.outputs.data(), part.inputs.data(), n,
                                             program_.params, fault_);
    else
      program_.strided(part.outputs.data(), part.out_strides.data(), part.inputs.data(),
                       part.in_strides.data(), n, program_.params, fault_);
  }

  /// Memory that will be read soon: elements of `size` bytes, one for each result.
  struct Ahead {
    const std::byte* at;
    std::int64_t size;
  };

  void stream_row(Rows rows, RowPart part, std::int64_t n, std::span<Ahead> ahead = {}) {
    const int size = program_.result_sizes[0];
    std::byte* to = part.outputs[0];
    part.outputs[0] = results_[0].bytes.data();
    const std::int64_t first = elements_to_cache_line(to, size);
    const bool is_packed = program_.packed != nullptr;
    const std::int64_t piece = (is_packed ? kStreamedPackedPiece : kStreamedPiece) / size;
    std::int64_t step = first != 0 ? first : piece;
    for (; n > 0; n -= step, step = piece) {
      step = std::min(n, step);
      for (Ahead& next : ahead) {
        fetch(next.at, step * next.size);
        next.at += step * next.size;
      }
      run_part(rows, part, step);
      stream(to, part.outputs[0], step * size);
      to += step * size;
      for (int i = 0; i < plan_.input_count; ++i) part.inputs[i] += step * part.in_strides[i];
    }
  }

  /// Runs the kernel over a loaded tile and streams its results. Meanwhile it fetches what the next
  /// tile is loaded from: add(int64, float64) of 2^22 elements takes 0.7 ns an element so, and 1.1
  /// if tiles are fetched when they are loaded (Zen 4).
  void stream_block(std::int64_t n) {
    RowPart part{.inputs = inputs_, .outputs = {out_.pointer(0)}};
    std::array<Ahead, kMaxInputs> ahead;
    std::size_t loaded = 0;
    for (int i = 0; i < plan_.input_count; ++i) {
      part.in_strides[i] = is_wide(i) ? 0 : program_.operand_sizes[i];
      if (!present(i) || inputs_[i] != buffers_[i].bytes.data()) continue;
      const std::int64_t size = itemsize(plan_.inputs[i].dtype);
      if (in_.strides(i).column == size) ahead[loaded++] = {in_.pointer(i) + n * size, size};
    }
    stream_row(Rows::kDense, part, n, std::span(ahead).first(loaded));
  }

  [[gnu::always_inline]] void run_block(Block block) {
    for (int i = 0; i < plan_.input_count; ++i) {
      if (!present(i) || program_.repeated[i]) continue;
      const bool in_place = reads_in_place(i, block);
      inputs_[i] = in_place ? in_.pointer(i) : buffers_[i].bytes.data();
      if (!in_place && !holds(i, block)) load(i, 0, block);
    }
    if (program_.streams) {
      stream_block(block.size());
    } else {
      for (int i = 0; i < plan_.output_count; ++i)
        outputs_[i] = writes_in_place(i, block) ? out_.pointer(i) : results_[i].bytes.data();
      program_.run(outputs_.data(), inputs_.data(), block.size(), fault_);
      for (int i = 0; i < plan_.output_count; ++i)
        if (!writes_in_place(i, block)) store(i, 0, block);
    }
    in_.advance(block);
    out_.advance(block);
  }

  /// Runs the next n elements, which lie in several blocks; n is at most a tile.
  void run_blocks(std::int64_t n) {
    for (std::int64_t done = 0; done < n;) {
      const Block block = in_.block(n - done);
      for (int i = 0; i < plan_.input_count; ++i)
        if (present(i) && !program_.repeated[i]) load(i, done, block);
      in_.advance(block);
      done += block.size();
    }
    held_ = {};
    for (int i = 0; i < plan_.input_count; ++i) inputs_[i] = buffers_[i].bytes.data();
    for (int i = 0; i < plan_.output_count; ++i) outputs_[i] = results_[i].bytes.data();
    program_.run(outputs_.data(), inputs_.data(), n, fault_);
    for (std::int64_t done = 0; done < n;) {
      const Block block = out_.block(n - done);
      for (int i = 0; i < plan_.output_count; ++i) store(i, done, block);
      out_.advance(block);
      done += block.size();
    }
  }

  /// Whether the buffer already holds the element that the block repeats, for example in the middle
  /// of a row. Always false if elements are visited in order, because each must see what was
  /// written before it.
  bool holds(int input, Block block) const {
    return held_[input].count >= block.size() && held_[input].element == in_.pointer(input) &&
           in_.strides(input).column == 0 && !plan_.in_order;
  }

  /// Converts an input's elements into its buffer. An element that repeats within the block is
  /// converted once.
  [[gnu::always_inline]] void load(int input, std::int64_t at, Block block) {
    const int size = program_.operand_sizes[input];
    const BlockStrides strides = in_.strides(input);
    Block once = block;
    if (strides.row == 0) once.rows = 1;
    if (strides.column == 0 && once.rows == 1) once.columns = 1;
    held_[input] = {in_.pointer(input), once.size() == 1 ? block.size() : 0};
    std::byte* const to = buffers_[input].bytes.data() + at * size;
    run_chain(program_.loads[input], in_.pointer(input), strides, to, dense_strides(once, size),
              once, scratch_);
    if (once.size() == 1)
      program_.fills[input](to, block.size());
    else
      repeat(to, once.size() * size, block.size() * size);
  }
  [[gnu::always_inline]] void store(int output, std::int64_t at, Block block) {
    const int size = program_.result_sizes[output];
    if (program_.streams) {
      stream(out_.pointer(output), results_[output].bytes.data(), block.size() * size);
      return;
    }
    run_chain(program_.stores[output], results_[output].bytes.data() + at * size,
              dense_strides(block, size), out_.pointer(output), out_.strides(output), block,
              scratch_);
  }

  const TileProgram& program_;
  const IteratorPlan& plan_;
  Walk<kMaxInputs> in_;
  Walk<kMaxOutputs> out_;
  std::array<const std::byte*, kMaxInputs> inputs_{};
  std::array<std::byte*, kMaxOutputs> outputs_{};
  Fault fault_;
  struct Held {
    const std::byte* element = nullptr;
    std::int64_t count = 0;
  };
  std::array<Held, kMaxInputs> held_{};  // for each input: the element that its buffer repeats
  std::array<Buffer, kMaxInputs> buffers_;
  std::array<Buffer, kMaxOutputs> results_;
  Buffer scratch_;
};

}  // namespace upcast::internal
