// upcast-grid-probe GRID EVERY SUBJECT ORACLE [OP...]: judges one in EVERY cases of a grid in this
// process, until one is unexplained. With OPs it takes their cases only.
//
// Mutation testing (tools/mutation) runs it on broken implementations, because it answers in a
// second where `upcast run` needs a minute. Exit code 0: none is unexplained; 1: one is, and its
// line and verdict are printed; 2: a wrong argument. A side that dies ends the program; the cases
// that a known difference says LibTorch dies of are left out.
#include <charconv>
#include <iostream>

#include "impl/core/error.h"
#include "oracle/conclude.h"
#include "oracle/libtorch/register.h"
#include "oracle/modules/emulated_subject.h"
#include "oracle/subject.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

struct Request {
  std::string grid, subject, oracle;
  std::int64_t every = 1;
  std::vector<std::string_view> ops{};

  bool wants(const GridRow& row) const {
    const std::string_view name = row.prototype.op->spec->name;
    return ops.empty() || std::find(ops.begin(), ops.end(), name) != ops.end();
  }
};

Request parse(std::span<char*> arguments) {
  if (arguments.size() < 4)
    throw UsageError("usage: upcast-grid-probe GRID EVERY SUBJECT ORACLE [OP...]");
  Request request{arguments[0], arguments[2], arguments[3]};
  const std::string_view every = arguments[1];
  const auto [end, error] =
      std::from_chars(every.data(), every.data() + every.size(), request.every);
  if (error != std::errc{} || end != every.data() + every.size() || request.every < 1)
    throw UsageError("EVERY is a number of 1 or more, not '" + std::string(every) + "'");
  request.ops.assign(arguments.begin() + 4, arguments.end());
  return request;
}

class Probe {
 public:
  explicit Probe(const Request& request)
      : subject_(make_subject(request.subject)),
        oracle_(make_subject(request.oracle)),
        differences_(load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml")),
        known_(differences_, {parse_side(request.subject), parse_side(request.oracle),
                              oracle_->versions()["libtorch"], false}) {
    settings_.sides = sides_of(request.subject, request.oracle);
    settings_.arbiter = &truth::arbitrate;
    settings_.known = &known_;
    settings_.enters_rows = true;
    // No difference gets a ruling. So a mutant is noticed if it differs from the oracle, even if
    // both values are within their error bounds.
    settings_.is_recorded = [](VerdictCode, int) { return false; };
    known_.start_block();
  }

  /// Judges a case. If it is unexplained, prints a line that says why and returns false.
  bool passes(const Case& c) {
    if (kills_the_oracle(c)) return true;
    ++judged_;
    subject_->answer(c, ours_.answer);
    oracle_->answer(c, theirs_.answer);
    const Verdict verdict = conclude(c, ours_, theirs_, settings_).verdict;
    if (!is_failure(verdict.code)) return true;
    std::cout << name(verdict.code) << ": " << print_case(c) << ": " << sentence(verdict) << "\n";
    return false;
  }
  void enter_row(const GridRow& row) { known_.enter_row(row); }
  std::int64_t judged() const { return judged_; }

 private:
  bool kills_the_oracle(const Case& c) const {
    return find_first(differences_, c, "crash") != nullptr ||
           find_first(differences_, c, "timeout") != nullptr;
  }

  std::unique_ptr<Subject> subject_, oracle_;
  std::vector<KnownDifference> differences_;
  KnownMatcher known_;
  ConcludeSettings settings_;
  Reply ours_, theirs_;
  std::int64_t judged_ = 0;
};

int run(const Request& request) {
  const Plan plan = make_grid(request.grid);
  Probe probe(request);
  std::int64_t next = 0;  // the index of the next case, counted over all wanted rows
  std::int64_t seen = 0;
  for (const GridRow& row : plan.rows) {
    if (!request.wants(row)) continue;
    if (next < seen + row.count) probe.enter_row(row);
    Case c = row.prototype;
    for (; next < seen + row.count; next += request.every) {
      row.decode(next - seen, c);
      if (!probe.passes(c)) return 1;
    }
    seen += row.count;
  }
  if (probe.judged() == 0) throw UsageError("no case of the grid is of these ops");
  std::cout << probe.judged() << " cases, none unexplained\n";
  return 0;
}

}  // namespace
}  // namespace upcast

int main(int argc, char** argv) {
  try {
    upcast::register_emulated_subject();
    upcast::register_libtorch_subjects();
    const int code = upcast::run(upcast::parse({argv + 1, static_cast<std::size_t>(argc - 1)}));
    std::cout.flush();
    std::_Exit(code);  // skips LibTorch's destructors, which take long
  } catch (const upcast::UsageError& error) {
    std::cerr << "upcast-grid-probe: " << error.what() << "\n";
    std::_Exit(2);
  }
}
