// A sweep as cases: every input of an op over a dtype, cut into chunks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "impl/core/dtype.h"

namespace upcast::tools {

/// The inputs of a sweep. It is exhaustive for one operand of up to 32 bits, or two of up to 16.
/// Otherwise it is a sample of random bits.
struct SweepPlan {
  std::string op;          // a callable: "sin", "pow.Tensor_Tensor"
  std::string attributes;  // what follows the operands in a case line: ", n=2", or ""
  DType dtype = DType::kFloat16;
  int operands = 1;
  std::int64_t chunk_inputs = 0;
  std::int64_t chunks = 0;
  bool exhaustive = true;
  /// For pairs of integers: each chunk has one second operand, because a zero among others would
  /// make the whole chunk refused.
  bool by_second = false;
  /// In a sample: which operand is a degree or an order. Each chunk has another small one.
  int order = -1;
  /// In a sample: the seed of the first chunk. The seeds of later chunks follow it.
  std::int64_t first_seed = 0;

  std::int64_t inputs() const { return chunk_inputs * chunks; }
  /// The case line of a chunk. Its seed is the chunk's number plus first_seed, so that the line
  /// reproduces it. `layout`: that of the last operand, in case notation.
  std::string line(std::int64_t chunk, std::string_view layout = "") const;
  /// The same inputs in smaller chunks, if they can be cut so finely: rows of pairs stay whole, and
  /// a sample keeps its seeds.
  SweepPlan in_blocks(std::int64_t inputs) const;
  /// The operands of an input: "0x3f800000", "0x3c00, 0x4000". For a sample also its place and its
  /// order: "0x3f800000 (element 12 of seed 3)".
  std::string input_text(std::uint64_t index) const;

 private:
  std::string sample_text(std::uint64_t index) const;
};

/// How many inputs the processes of a sweep take at a time.
inline constexpr std::int64_t kTruthChunk = std::int64_t{1} << 20;
inline constexpr std::int64_t kPathChunk = std::int64_t{1} << 18;  // stays in a core's cache

/// Makes the plan. samples: 0 for every input. `chunk`: inputs at a time, a power of two from 2^16
/// up. Throws UsageError if the op is unknown, if it has another number of operands, or if there
/// are too many inputs.
SweepPlan make_sweep_plan(const std::string& op, const std::string& attributes, DType dtype,
                          std::int64_t samples, std::int64_t chunk = kTruthChunk);

/// The plan as a file of chunks keeps it.
nlohmann::json plan_json(const SweepPlan& plan);
SweepPlan read_plan(const nlohmann::json& json);

}  // namespace upcast::tools
