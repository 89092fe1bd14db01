// A sweep as cases: every input of an op over a dtype, cut into chunks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "impl/core/dtype.h"

namespace upcast::tools {

/// The inputs of a sweep. Exhaustive: one operand of up to 32 bits, or two of up to 16. Else a
/// sample of random bits.
struct SweepPlan {
  std::string op;          // a callable: "sin", "pow.Tensor_Tensor"
  std::string attributes;  // ", n=2", or ""
  DType dtype = DType::kFloat16;
  int operands = 1;
  std::int64_t chunk_inputs = 0;
  std::int64_t chunks = 0;
  bool exhaustive = true;
  /// Pairs of integers: a chunk for each second operand, since a zero among them would refuse all.
  bool by_second = false;
  /// In a sample: the operand that is a degree or an order, another small one in each chunk.
  int order = -1;
  /// In a sample: the seed of the first chunk; the next ones follow it.
  std::int64_t first_seed = 0;

  std::int64_t inputs() const { return chunk_inputs * chunks; }
  /// The case of a chunk; its place, from first_seed on, is its seed, so that its line reproduces
  /// it. `layout`: how the last operand lies, as the notation has it.
  std::string line(std::int64_t chunk, std::string_view layout = "") const;
  /// The same inputs in smaller chunks, where they are cut finely enough: rows of pairs stay whole,
  /// and a sample keeps its seeds.
  SweepPlan in_blocks(std::int64_t inputs) const;
  /// The operands of an input: "0x3f800000", "0x3c00, 0x4000"; of a sample its place too, and its
  /// order: "0x3f800000 (element 12 of seed 3)".
  std::string input_text(std::uint64_t index) const;

 private:
  std::string sample_text(std::uint64_t index) const;
};

/// How many inputs a sweep's processes take at a time.
inline constexpr std::int64_t kTruthChunk = std::int64_t{1} << 20;
inline constexpr std::int64_t kPathChunk = std::int64_t{1} << 18;  // stays in a core's cache

/// samples: 0 for every input. `chunk`: inputs at a time, a power of two from 2^16 up. Throws
/// UsageError where the op is unknown, has another number of operands, or the inputs are too many
/// to be swept.
SweepPlan make_sweep_plan(const std::string& op, const std::string& attributes, DType dtype,
                          std::int64_t samples, std::int64_t chunk = kTruthChunk);

/// As a file of chunks keeps it.
nlohmann::json plan_json(const SweepPlan& plan);
SweepPlan read_plan(const nlohmann::json& json);

}  // namespace upcast::tools
