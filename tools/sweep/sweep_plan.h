// The plan of a sweep: cases that ask an op for every input of a dtype, cut into chunks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "impl/core/dtype.h"

namespace upcast::tools {

/// The inputs of a sweep, in chunks. They are all inputs for one operand of up to 32 bits, or for
/// two operands of up to 16 bits each. Otherwise they are a sample of random bits.
struct SweepPlan {
  std::string op;          // a callable: "sin", "pow.Tensor_Tensor"
  std::string attributes;  // what follows the operands in a case line: ", n=2", or ""
  DType dtype = DType::kFloat16;
  int operands = 1;
  std::int64_t chunk_inputs = 0;
  std::int64_t chunks = 0;
  bool exhaustive = true;
  /// Whether each chunk has a single second operand. It is so for pairs of integers: a zero among
  /// the second operands could make a side refuse the whole chunk.
  bool by_second = false;
  /// In a sample: the index of the operand that is a degree or an order, or -1. It is one small
  /// number for each chunk.
  int order = -1;
  /// In a sample: the seed of the first chunk. The seeds of later chunks follow it.
  std::int64_t first_seed = 0;

  std::int64_t inputs() const { return chunk_inputs * chunks; }
  /// The case line that asks for all inputs of a chunk. Its seed is first_seed plus the chunk's
  /// number. `layout`: that of the last operand, in case notation.
  std::string line(std::int64_t chunk, std::string_view layout = "") const;
  /// The same plan in chunks of `inputs` inputs, if it can be cut so finely. One operand with all
  /// values of the other is not cut. A sample is not cut, because each chunk has its seed; nor is a
  /// plan by_second.
  SweepPlan in_blocks(std::int64_t inputs) const;
  /// The operands of an input, as text: "0x3f800000", "0x3c00, 0x4000". In a sample it also names
  /// the input's place, and its order if it has one: "0x3f800000 (element 12 of seed 3)".
  std::string input_text(std::uint64_t index) const;

 private:
  std::string sample_text(std::uint64_t index) const;
};

/// How many inputs a process of a sweep takes at a time, against the truth and for paths.
inline constexpr std::int64_t kTruthChunk = std::int64_t{1} << 20;
inline constexpr std::int64_t kPathChunk = std::int64_t{1} << 18;  // fits into a core's cache

/// Makes the plan of a sweep. `samples`: how many inputs to draw; 0 for every input. `chunk`:
/// inputs of a chunk, a power of two, at least 2^16. Throws UsageError if the op is unknown, if it
/// does not take one to three operands of the dtype, or if there are too many inputs.
SweepPlan make_sweep_plan(const std::string& op, const std::string& attributes, DType dtype,
                          std::int64_t samples, std::int64_t chunk = kTruthChunk);

/// Writes the plan as a sweep's file keeps it, and reads it back.
nlohmann::json plan_json(const SweepPlan& plan);
SweepPlan read_plan(const nlohmann::json& json);

}  // namespace upcast::tools
