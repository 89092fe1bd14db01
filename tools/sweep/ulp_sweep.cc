#include "tools/sweep/ulp_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/notation.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/truth/truth_subject.h"
#include "tools/sweep/side_source.h"

namespace upcast::tools {
namespace {

using nlohmann::json;
using truth::UlpStatistics;

/// Inputs of a block, which fits into a core's cache.
constexpr std::int64_t kBlock = std::int64_t{1} << 15;

/// The work of one process of a sweep against the truth. It cuts a chunk into blocks, asks the
/// truth and each side about a block, and measures the errors.
class UlpWork : public ChunkWork {
 public:
  UlpWork(const SweepOptions& options, std::span<const std::int64_t> chunks)
      : names_(options.sides),
        blocks_(options.plan.in_blocks(kBlock)),
        blocks_of_chunk_(options.plan.chunk_inputs / blocks_.chunk_inputs) {
    std::vector<std::int64_t> blocks;
    for (const std::int64_t chunk : chunks)
      for (std::int64_t i = 0; i < blocks_of_chunk_; ++i)
        blocks.push_back(chunk * blocks_of_chunk_ + i);
    std::vector<SweptSide> sides;
    for (const std::string& side : options.sides)
      sides.push_back({.subject = parse_side(side), .name = side});
    sides_ = open_sides(blocks_, sides, blocks);
  }

  json run(std::int64_t chunk) override {
    statistics_.assign(sides_.size(), {});
    for (std::int64_t i = 0; i < blocks_of_chunk_; ++i) run_block(chunk * blocks_of_chunk_ + i);
    json found = json::object();
    for (std::size_t i = 0; i < sides_.size(); ++i) found[names_[i]] = statistics_[i];
    return found;
  }

  std::map<std::string, std::string> versions() const override {
    std::map<std::string, std::string> all = truth_.versions();
    for (const auto& side : sides_) all.merge(side->versions());
    return all;
  }

 private:
  void run_block(std::int64_t block) {
    const Case c = parse_case(blocks_.line(block));
    truth_.answer(c, right_);
    const bool refused = right_.tag == Answer::Tag::kRefusal;
    if (right_.tag == Answer::Tag::kNotJudged || (refused && right_.rejection != kByZero))
      throw UsageError(print_case(c) + ": " +
                       (refused ? "our promotion refuses it" : right_.detail));
    measured_.clear();
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const SideAnswer answer = sides_[i]->answer(block);
      if (refused || answer.dtype == DType::kUndefined)
        compare_refusals(refused && answer.dtype == DType::kUndefined, block, statistics_[i]);
      else
        statistics_[i].merge(measured(names_[i], answer, block));
    }
  }

  /// The errors of a side's answer to a block. If another side answered the same bits, as is usual,
  /// its statistics are taken again.
  const UlpStatistics& measured(const std::string& side, const SideAnswer& answer,
                                std::int64_t block) {
    for (const Measured& other : measured_)
      if (other.dtype == answer.dtype && std::ranges::equal(other.bytes, answer.bytes))
        return other.statistics;
    Measured& own = measured_.emplace_back();
    own.dtype = answer.dtype;
    own.bytes.assign(answer.bytes.begin(), answer.bytes.end());
    measure_side(side, answer, block, own.statistics);
    return own.statistics;
  }

  void compare_refusals(bool equal, std::int64_t block, UlpStatistics& statistics) const {
    statistics.inputs += blocks_.chunk_inputs;
    if (equal) {
      statistics.correctly_rounded += blocks_.chunk_inputs;
      return;
    }
    const auto first = static_cast<std::uint64_t>(block * blocks_.chunk_inputs);
    if (statistics.misplaced == 0) statistics.first_misplaced = first;
    statistics.misplaced += blocks_.chunk_inputs;
  }

  void measure_side(const std::string& side, const SideAnswer& answer, std::int64_t block,
                    UlpStatistics& statistics) {
    if (answer.dtype != right_.dtype || answer.bytes.size() != right_.bytes.size())
      throw UsageError(
          fmt::format("{} answers {} to {}, with another dtype or shape than the truth", side,
                      name(answer.dtype), blocks_.line(block)));
    cast(answer.dtype, answer.bytes, values_);
    measure(answer.dtype, values_, truths(),
            static_cast<std::uint64_t>(block * blocks_.chunk_inputs), statistics);
  }

  std::span<const truth::Value> truths() {
    const std::span<const truth::Value> exact = truth_.exact();
    if (exact.size() == values_.size()) return exact;
    truths_.clear();
    if (exact.empty()) {  // a composition has no digits beyond its rounded answer
      std::vector<double> rounded;
      cast(right_.dtype, right_.bytes, rounded);
      for (const double value : rounded) truths_.push_back({.rounded = value, .high = value});
    } else {  // the real result of complex operands has one part
      for (std::size_t i = 0; i < values_.size(); ++i)
        truths_.push_back(truth_.exact(right_, i).front());
    }
    return truths_;
  }

  static void cast(DType dtype, std::span<const std::byte> elements, std::vector<double>& values) {
    const std::size_t count = elements.size() / static_cast<std::size_t>(itemsize(dtype));
    values.resize(is_complex(dtype) ? 2 * count : count);
    const DType wide = is_complex(dtype) ? DType::kComplex128 : DType::kFloat64;
    cast_loop(dtype, wide, best_capability())(
        elements.data(), {.column = itemsize(dtype)}, reinterpret_cast<std::byte*>(values.data()),
        {.column = itemsize(wide)}, {.columns = static_cast<std::int64_t>(count)});
  }

  /// An answer to the current block, with its errors.
  struct Measured {
    DType dtype = DType::kUndefined;
    std::vector<std::byte> bytes;
    UlpStatistics statistics;
  };

  static constexpr RejectionCode kByZero = RejectionCode::kZeroDivision;

  std::vector<std::string> names_;
  SweepPlan blocks_;
  std::int64_t blocks_of_chunk_;
  std::vector<std::unique_ptr<SideSource>> sides_;
  TruthSubject truth_;
  Answer right_;
  std::vector<double> values_;
  std::vector<truth::Value> truths_;
  std::vector<Measured> measured_;         // the different answers to the current block
  std::vector<UlpStatistics> statistics_;  // errors in the current chunk, by side
};

}  // namespace

SweepOutcome<UlpStatistics> run_ulp_sweep(const SweepOptions& options, const ShowProgress& show) {
  const WorkGroup group{options.sides, [&](std::span<const std::int64_t> chunks) {
                          return std::make_unique<UlpWork>(options, chunks);
                        }};
  return run_and_merge<UlpStatistics>(options, "ulp", group, show);
}

}  // namespace upcast::tools

namespace upcast::truth {

void to_json(nlohmann::json& json, const UlpStatistics& s) {
  auto worst = nlohmann::json::array();
  for (const InputError& row : s.worst.rows()) worst.push_back({row.error, row.index});
  json = {{"inputs", s.inputs},
          {"undecided", s.undecided},
          {"correctly_rounded", s.correctly_rounded},
          {"misplaced", s.misplaced},
          {"measured", s.measured},
          {"first_misplaced", s.first_misplaced},
          {"worst", worst},
          {"sum_ulp", s.sum_ulp},
          {"histogram", s.histogram}};
  if (s.max_steps) json["max_steps"] = *s.max_steps;
}

void from_json(const nlohmann::json& json, UlpStatistics& s) {
  json.at("inputs").get_to(s.inputs);
  json.at("undecided").get_to(s.undecided);
  json.at("correctly_rounded").get_to(s.correctly_rounded);
  json.at("misplaced").get_to(s.misplaced);
  json.at("measured").get_to(s.measured);
  json.at("first_misplaced").get_to(s.first_misplaced);
  for (const nlohmann::json& row : json.at("worst")) s.worst.add({row.at(0), row.at(1)});
  json.at("sum_ulp").get_to(s.sum_ulp);
  s.max_steps.reset();
  if (json.contains("max_steps")) s.max_steps = json["max_steps"].get<std::uint64_t>();
  json.at("histogram").get_to(s.histogram);
}

}  // namespace upcast::truth
