#include "tools/sweep/ulp_sweep.h"

#include <fmt/format.h>

#include "cases/notation.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/host/remote_subject.h"
#include "oracle/truth/truth_subject.h"

namespace upcast::tools {
namespace {

using nlohmann::json;
using truth::UlpStatistics;

/// The sides that one process can hold: two configurations of LibTorch cannot be in one.
std::vector<std::vector<std::string>> groups_of(const std::vector<std::string>& sides) {
  std::vector<std::vector<std::string>> groups;
  for (const std::string& side : sides) {
    bool placed = false;
    for (auto& group : groups) {
      bool fits = true;
      for (const std::string& member : group) fits = fits && !need_two_processes(side, member);
      if (fits && !placed) {
        group.push_back(side);
        placed = true;
      }
    }
    if (!placed) groups.push_back({side});
  }
  return groups;
}

/// One process: the truth, and some sides.
class UlpWork : public ChunkWork {
 public:
  UlpWork(const SweepPlan& plan, const std::vector<std::string>& sides)
      : plan_(plan), names_(sides) {
    for (const std::string& side : sides) sides_.push_back(make_subject(side));
  }

  json run(std::int64_t chunk) override {
    statistics_.assign(sides_.size(), {});
    const SweepPlan blocks = plan_.in_blocks(kBlock);
    const std::int64_t count = plan_.chunk_inputs / blocks.chunk_inputs;
    for (std::int64_t i = 0; i < count; ++i) run_block(blocks, chunk * count + i);
    json found = json::object();
    for (std::size_t i = 0; i < sides_.size(); ++i)
      found[names_[i]] = statistics_json(statistics_[i]);
    return found;
  }

  std::map<std::string, std::string> versions() const override {
    std::map<std::string, std::string> all = truth_.versions();
    for (const auto& side : sides_) all.merge(side->versions());
    return all;
  }

 private:
  static constexpr std::int64_t kBlock = std::int64_t{1} << 15;  // stays in a core's cache

  void run_block(const SweepPlan& blocks, std::int64_t block) {
    const Case c = parse_case(blocks.line(block));
    truth_.answer(c, right_);
    if (right_.tag != Answer::Tag::kTensor)
      throw UsageError(
          print_case(c) + ": " +
          (right_.tag == Answer::Tag::kNotJudged ? right_.detail : "our promotion refuses it"));
    for (std::size_t i = 0; i < sides_.size(); ++i)
      measure_side(i, c, static_cast<std::uint64_t>(block * blocks.chunk_inputs));
  }

  void measure_side(std::size_t i, const Case& c, std::uint64_t first) {
    sides_[i]->answer(c, answer_);
    if (answer_.tag != Answer::Tag::kTensor)
      throw UsageError(
          fmt::format("{} does not answer {}: {}", names_[i], print_case(c), to_text(answer_)));
    if (answer_.dtype != right_.dtype || answer_.sizes != right_.sizes)
      throw UsageError(
          fmt::format("{} answers {} to {}, with another dtype or shape than the truth", names_[i],
                      name(answer_.dtype), print_case(c)));
    const std::size_t n = answer_.bytes.size() / itemsize(answer_.dtype);
    values_.resize(n);
    cast_elements(answer_.dtype, answer_.bytes.data(), DType::kFloat64,
                  reinterpret_cast<std::byte*>(values_.data()), static_cast<std::int64_t>(n));
    measure(answer_.dtype, values_, truth_.exact(), first, statistics_[i]);
  }

  const SweepPlan& plan_;
  std::vector<std::string> names_;
  TruthSubject truth_;
  std::vector<std::unique_ptr<Subject>> sides_;
  Answer right_, answer_;
  std::vector<double> values_;
  std::vector<UlpStatistics> statistics_;  // of the chunk, by side
};

}  // namespace

json statistics_json(const UlpStatistics& s) {
  json worst = json::array();
  for (const truth::InputError& row : s.worst.rows()) worst.push_back({row.error, row.index});
  return {{"inputs", s.inputs},
          {"undecided", s.undecided},
          {"correctly_rounded", s.correctly_rounded},
          {"misplaced", s.misplaced},
          {"measured", s.measured},
          {"first_misplaced", s.first_misplaced},
          {"worst", worst},
          {"sum_ulp", s.sum_ulp},
          {"histogram", s.histogram}};
}

UlpStatistics read_ulp_statistics(const json& j) {
  UlpStatistics s;
  j.at("inputs").get_to(s.inputs);
  j.at("undecided").get_to(s.undecided);
  j.at("correctly_rounded").get_to(s.correctly_rounded);
  j.at("misplaced").get_to(s.misplaced);
  j.at("measured").get_to(s.measured);
  j.at("first_misplaced").get_to(s.first_misplaced);
  for (const json& row : j.at("worst"))
    s.worst.add({row.at(0).get<double>(), row.at(1).get<std::uint64_t>()});
  j.at("sum_ulp").get_to(s.sum_ulp);
  j.at("histogram").get_to(s.histogram);
  return s;
}

SweepOutcome<UlpStatistics> run_ulp_sweep(const SweepOptions& options, const ShowProgress& show) {
  std::vector<WorkGroup> groups;
  for (const auto& sides : groups_of(options.sides))
    groups.push_back({sides, [&options, sides](auto) {
                        return std::make_unique<UlpWork>(options.plan, sides);
                      }});
  return run_and_merge(options, "ulp", groups, &read_ulp_statistics, show);
}

}  // namespace upcast::tools
