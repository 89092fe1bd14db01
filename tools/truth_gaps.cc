// Counts the values that the truth does not decide, by op and reason, over a part of a grid. Writes
// docs/truth_gaps.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>

#include "cases/counted.h"
#include "cases/grid.h"
#include "oracle/truth/coverage.h"
#include "oracle/truth/truth_subject.h"
#include "tools/command_line.h"

namespace upcast {
namespace {

using truth::Gap;

struct Counts {
  std::int64_t cases = 0, elements = 0;

  void add(const Counts& more) {
    cases += more.cases;
    elements += more.elements;
  }
};

constexpr std::string_view words(Gap gap) {
  switch (gap) {
    case Gap::kUndocumented:
      return "no document defines the value";
    case Gap::kNotFinite:
      return "an argument is not finite, and the C standard does not define the function there";
    case Gap::kOverflow:
      return "an intermediate step, or one part of a complex number, may overflow";
    case Gap::kPrecision:
      return "the precision that is available does not decide the rounding";
    case Gap::kNone:
      break;
  }
  return "a step of the composed op is not decided";
}

std::int64_t elements_of(const Answer& answer) {
  const std::int64_t size = itemsize(answer.dtype);
  return size == 0 ? 0 : static_cast<std::int64_t>(answer.bytes.size()) / size;
}

/// How many elements of a case the truth does not decide: {reason: elements}.
std::map<std::string, std::int64_t> gaps_of(const TruthSubject& truth, const Answer& answer) {
  constexpr std::string_view kNoTruth = "no truth: ";
  if (answer.tag == Answer::Tag::kNotJudged) {
    const bool says = answer.detail.starts_with(kNoTruth);
    return {{answer.detail.substr(says ? kNoTruth.size() : 0), elements_of(answer)}};
  }
  std::map<std::string, std::int64_t> gaps;
  for (std::size_t i = 0; i < answer.leeway.size(); ++i) {
    if (!std::isinf(answer.leeway[i])) continue;
    Gap gap = Gap::kNone;
    if (!truth.exact().empty())
      for (const truth::Value& value : truth.exact(answer, i))
        if (!value.decided) gap = value.gap;
    ++gaps[std::string(words(gap))];
  }
  return gaps;
}

class GapTable {
 public:
  void add(const Case& c) {
    truth_.answer(c, answer_);
    if (answer_.tag != Answer::Tag::kTensor && answer_.tag != Answer::Tag::kNotJudged) return;
    asked_.add({1, elements_of(answer_)});
    const auto gaps = gaps_of(truth_, answer_);
    open_.cases += gaps.empty() ? 0 : 1;
    for (const auto& [reason, elements] : gaps) {
      open_.elements += elements;
      reasons_[reason].add({1, elements});
      rows_[{std::string(c.op->spec->name),
             std::string(name(truth::kind_of(truth_.common_dtype()))), reason}]
          .add({1, elements});
    }
  }

  void print(const std::string& grid, std::int64_t every) const {
    fmt::print(
        "# What the truth leaves out\n\n`build/bin/upcast-truth-gaps --grid {} --every {}` writes "
        "this page: it asks the truth about one case in {} of the grid. Refusals are left "
        "out.\nWhere the truth does not decide, the two sides are only compared with each other "
        "([numerics](numerics.md)); `upcast run --witness SIDE` asks further sides "
        "([tour](guide.md#ask-witnesses-where-the-truth-is-silent)). The sign of a NaN is never "
        "judged and is not counted.\n\n{} cases with {} elements were asked; {} elements of {} "
        "cases are left out, {:.2f} %.\n\n",
        grid, every, every, grouped(asked_.cases), grouped(asked_.elements),
        grouped(open_.elements), grouped(open_.cases),
        100 * static_cast<double>(open_.elements) /
            static_cast<double>(std::max<std::int64_t>(1, asked_.elements)));
    fmt::print("## By reason\n\n| reason | elements | cases |\n| --- | ---: | ---: |\n");
    for (const auto& [reason, counts] : sorted(reasons_))
      fmt::print("| {} | {} | {} |\n", reason, grouped(counts.elements), grouped(counts.cases));
    fmt::print(
        "\n## By op\n\n| op | over | reason | elements | cases |\n| --- | --- | --- | ---: | ---: "
        "|\n");
    for (const auto& [row, counts] : sorted(rows_)) {
      const auto& [op, kind, reason] = row;
      fmt::print("| `{}` | {} | {} | {} | {} |\n", op, kind, reason, grouped(counts.elements),
                 grouped(counts.cases));
    }
  }

 private:
  /// The rows sorted by their number of elements, the largest first.
  template <class Key>
  static std::vector<std::pair<Key, Counts>> sorted(const std::map<Key, Counts>& rows) {
    std::vector<std::pair<Key, Counts>> list(rows.begin(), rows.end());
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return a.second.elements > b.second.elements;
    });
    return list;
  }

  TruthSubject truth_;
  Answer answer_;
  Counts asked_, open_;
  std::map<std::string, Counts> reasons_;
  std::map<std::array<std::string, 3>, Counts> rows_;
};

void count(const std::string& grid, std::int64_t every) {
  const Plan plan = make_grid(grid);
  GapTable table;
  for (const GridRow& row : plan.rows) {
    Case c = row.prototype;
    for (std::int64_t index = (every - row.first % every) % every; index < row.count;
         index += every) {
      row.decode(index, c);
      table.add(c);
    }
  }
  table.print(grid, every);
}

}  // namespace
}  // namespace upcast

int main(int argc, char** argv) {
  CLI::App app(
      "Counts the values of a grid that the truth does not decide, by op and reason, as Markdown",
      "upcast-truth-gaps");
  std::string grid = "ops";
  std::int64_t every = 10;
  app.add_option("--grid", grid)->capture_default_str();
  app.add_option("--every", every, "Ask one case in this many")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  return upcast::tools::run_command_line(app, argc, argv, [&] {
    upcast::count(grid, every);
    return 0;
  });
}
