// upcast-hard-inputs: prints inputs whose float64 results are hard to round, for cases/hard. It
// verifies published worst cases, and finds the hardest of random inputs. A developer runs it by
// hand.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "impl/core/error.h"
#include "oracle/truth/definition.h"
#include "tools/command_line.h"

namespace upcast {
namespace {

constexpr slong kPrecision = 256;

/// An input: the values of its one or two operands.
using Input = std::vector<double>;

struct Hard {
  Input x{};
  double log2_distance = 0;  // distance from the middle of two float64, in ulp, as a power of two
};

/// Computes the exact value of an op to about 250 bits: by the truth's ball arithmetic if the op
/// has it, else by MPFR's function of one operand. Returns false if this gives no finite value with
/// enough digits.
bool exact_value(const truth::Definition& row, std::span<const double> x, arb_t value) {
  if (row.ball != nullptr) {
    std::vector<truth::Ball> balls;
    for (const double v : x) balls.emplace_back(v, kPrecision);
    const truth::Ball ball = row.ball(balls);
    arb_set(value, ball.get());
    return arb_is_finite(value) != 0 && arb_rel_accuracy_bits(value) > 128;
  }
  mpfr_t argument, result;
  mpfr_init2(argument, 53);
  mpfr_init2(result, kPrecision);
  mpfr_set_d(argument, x[0], MPFR_RNDN);
  row.mpfr_unary(result, argument, MPFR_RNDN);
  const bool regular = mpfr_regular_p(result) != 0;
  if (regular) arf_set_mpfr(arb_midref(value), result);
  mag_zero(arb_radref(value));
  mpfr_clear(argument);
  mpfr_clear(result);
  return regular;
}

/// How far the exact value is from the nearest middle between two neighbouring float64: the nearer,
/// the harder it is to round. Nothing if the value is not a normal number, or is exactly a middle.
std::optional<Hard> hardness(const truth::Definition& row, std::span<const double> x) {
  arb_t value;
  arb_init(value);
  std::optional<Hard> result;
  if (exact_value(row, x, value)) {
    const double near = arf_get_d(arb_midref(value), ARF_RND_DOWN);  // toward zero
    if (std::isnormal(near) && std::abs(near) > 0x1p-1000) {
      const double ulp = std::ldexp(1.0, std::ilogb(near) - 52);
      arf_t middle;
      arf_init(middle);
      arf_set_d(middle, near);
      arb_sub_arf(value, value, middle, kPrecision);
      arf_set_d(middle, std::copysign(0.5 * ulp, near));
      arb_sub_arf(value, value, middle, kPrecision);
      arf_clear(middle);
      arb_abs(value, value);
      // A value that is exactly a middle, as of exp2 or sqrt, is easy to compute, so it is no hard
      // case.
      const double distance = arf_get_d(arb_midref(value), ARF_RND_NEAR);
      if (distance > 0) result = Hard{{x.begin(), x.end()}, std::log2(distance) - std::log2(ulp)};
    }
  }
  arb_clear(value);
  return result;
}

/// A random operand: a number of either sign whose size is from 2^-40 to 2^12, or one next to 1.
double draw(std::mt19937_64& random) {
  const double mantissa = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
  const double size = std::ldexp(mantissa, static_cast<int>(random() % 52) - 40);
  switch (random() % 8) {
    case 0:
      return 1 + std::copysign(std::ldexp(mantissa, -static_cast<int>(random() % 50) - 1),
                               random() % 2 == 0 ? 1.0 : -1.0);
    case 1:
    case 2:
      return std::ldexp(static_cast<double>(random() >> 11), -53) * 40 - 20;
    default:
      return random() % 2 == 0 ? size : -size;
  }
}

/// Reads published worst cases: the lines of a file that have `operands` numbers, with commas
/// between them. Leaves out lines with a number that is 0 or not finite.
std::vector<Input> published(const std::string& path, std::size_t operands) {
  std::ifstream in(path);
  std::vector<Input> inputs;
  std::string line;
  while (std::getline(in, line)) {
    Input input;
    std::istringstream parts(line.substr(0, line.find('#')));
    for (std::string part; std::getline(parts, part, ',');)
      if (const double x = std::strtod(part.c_str(), nullptr); x != 0 && std::isfinite(x))
        input.push_back(x);
    if (input.size() == operands) inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<Hard> hardest(const truth::Definition& row, const std::vector<Input>& inputs,
                          double within, std::size_t count) {
  std::vector<Hard> found;
  for (const Input& x : inputs) {
    if (row.special != nullptr && row.special(x).has_value()) continue;
    if (const auto hard = hardness(row, x); hard && hard->log2_distance <= within)
      found.push_back(*hard);
  }
  std::sort(found.begin(), found.end(), [](const Hard& a, const Hard& b) {
    return a.log2_distance < b.log2_distance || (a.log2_distance == b.log2_distance && a.x < b.x);
  });
  found.erase(std::unique(found.begin(), found.end(),
                          [](const Hard& a, const Hard& b) { return a.x == b.x; }),
              found.end());
  if (found.size() > count) found.resize(count);
  return found;
}

std::string literal(double x) {
  std::ostringstream out;
  out << std::hexfloat << x;
  return out.str();
}

/// The values of operand k in all inputs, as one tensor in case notation.
std::string tensor(const std::vector<Hard>& found, std::size_t k) {
  std::string values;
  for (const Hard& hard : found) values += (values.empty() ? "" : ",") + literal(hard.x[k]);
  return fmt::format("float64[{}]{{{}}}", found.size(), values);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Finds inputs whose exact results lie close to the middle between two float64 values",
      "upcast-hard-inputs");
  std::vector<std::string> ops;
  std::string published_path;
  std::size_t operands = 1;
  std::int64_t draws = 0;
  std::uint64_t seed = 1;
  std::size_t count = 12;
  double within = 0;
  app.add_option("ops", ops, "Ops with a truth")->required();
  app.add_option("--operands", operands, "Number of operands of each op")->check(CLI::Range(1, 2));
  app.add_option(
      "--published", published_path,
      "A file with one input on each line, its operands separated by commas; # begins a comment");
  app.add_option("--draws", draws, "Random inputs");
  app.add_option("--seed", seed, "Seed of the random inputs");
  app.add_option("--within", within, "Largest distance from a middle, as log2 of ulp");
  app.add_option("--count", count, "Number of inputs to print for each op");
  return tools::run_command_line(app, argc, argv, [&] {
    for (const std::string& op : ops) {
      const truth::Definition* row = truth::find_definition(op);
      if (row == nullptr) throw UsageError(op + " has no truth: see upcast sweep --list");
      std::mt19937_64 random(seed);
      std::vector<Input> inputs;
      if (!published_path.empty()) inputs = published(published_path, operands);
      for (std::int64_t i = 0; i < draws; ++i) {
        Input& input = inputs.emplace_back();
        for (std::size_t k = 0; k < operands; ++k) input.push_back(draw(random));
      }
      if (row->attributes != nullptr) throw UsageError(op + " has attributes: it is not searched");
      const std::vector<Hard> found = hardest(*row, inputs, within, count);
      if (found.empty()) continue;
      std::string tensors;
      for (std::size_t k = 0; k < operands; ++k) tensors += (k == 0 ? "" : ", ") + tensor(found, k);
      fmt::print("# 2^{:.1f} to 2^{:.1f} ulp from a middle\n{}({})\n", found.front().log2_distance,
                 found.back().log2_distance, op, tensors);
    }
    return 0;
  });
}

}  // namespace
}  // namespace upcast

int main(int argc, char** argv) { return upcast::run(argc, argv); }
