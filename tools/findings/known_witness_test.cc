// Tests that each declared bug has a witness, and that each witness which can be computed still
// supports it (docs/decisions/0014-an-accusation-needs-a-witness.md). Another test,
// oracle.known_truth, compares bugs in values with the truth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "cases/draw/neighbour.h"
#include "cases/notation.h"
#include "fuzz/findings/child_side.h"
#include "fuzz/findings/examiner.h"
#include "impl/core/capability.h"
#include "oracle/contradiction.h"
#include "oracle/libtorch/register.h"
#include "oracle/side.h"
#include "oracle/subject.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/version_range.h"
#include "tools/findings/findings_options.h"
#include "tools/known_file.h"

namespace upcast::tools {
namespace {

/// The time limit of a side for a case, in seconds. It is longer than any case takes that does not
/// hang.
constexpr double kTimeLimit = 10;

/// Sides in child processes, so that a death of one does not end the test. Each is started once.
class Witnesses {
 public:
  Witnesses() {
    static const bool registered = [] {
      register_subject("truth", &make_truth_subject);
      register_libtorch_subjects();
      return true;
    }();
    EXPECT_TRUE(registered);
  }
  fuzz::ChildSide& side(const std::string& name) {
    std::unique_ptr<fuzz::ChildSide>& side = sides_[name];
    if (!side) side = std::make_unique<fuzz::ChildSide>(name, kTimeLimit);
    return *side;
  }
  Reply ask(const std::string& name, const std::string& line) {
    return side(name).ask(parse_case(line));
  }

 private:
  std::map<std::string, std::unique_ptr<fuzz::ChildSide>> sides_;
};

std::string accused(const KnownDifference& entry) {
  return entry.subject.empty() ? "libtorch:cpu" : entry.subject;
}

/// Whether a side is LibTorch's vector paths, and this machine has no AVX2 to run them.
bool is_path_of_vectors(const std::string& side) {
  return parse_side(side).bounds == Implementation::kLibTorchNative &&
         best_capability() < Capability::kV3;
}

bool is_decided(const Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor || answer.bytes.empty()) return false;
  for (const double leeway : answer.leeway)
    if (std::isinf(leeway)) return false;
  return true;
}

/// Whether this test can compute a witness. It leaves out three kinds: the truth of values, which
/// oracle.known_truth tests, and sentences and majorities, because CI has no network and no
/// frameworks.
bool is_computed_here(const KnownDifference& entry, const DeclaredWitness& witness) {
  const bool of_value = entry.kinds.front() == "value";
  return witness.kind == DeclaredWitness::Kind::kPath ||
         (witness.kind == DeclaredWitness::Kind::kTruth && !of_value);
}

/// Why the witness of an entry does not support it, in words; "" if it does.
std::string fault_of(const KnownDifference& entry, const DeclaredWitness& witness,
                     Witnesses& witnesses) {
  const Reply wrong = witnesses.ask(accused(entry), entry.case_line);
  if (witness.kind == DeclaredWitness::Kind::kTruth) {
    const Reply truth = witnesses.ask("truth", entry.case_line);
    if (!wrong.died()) return "only a death or a value is off the truth";
    return is_decided(truth.answer) ? "" : "the truth does not decide the case: " + truth.text();
  }
  if (witness.kind != DeclaredWitness::Kind::kPath) return "";
  const std::string& side = witness.side.empty() ? accused(entry) : witness.side;
  if (is_path_of_vectors(side)) return "";
  const Reply other = witnesses.ask(side, witness.text);
  return contradict_in_kind(wrong, other)
             ? ""
             : fmt::format("{} answers {} and {} is {}: no contradiction in kind", side,
                           other.text(), entry.case_line, wrong.text());
}

TEST(KnownWitness, EachIsComputedAgain) {
  Witnesses witnesses;
  const std::string version = witnesses.side("libtorch:cpu").versions().at("libtorch");
  std::map<std::string, int> computed;
  for (const KnownDifference& entry : without_frameworks(load_known_file("").differences)) {
    if (!version_in_range(version, entry.versions) || !shows_here(entry)) continue;
    if (parse_side(accused(entry)).vendor == Vendor::kUpcast) continue;
    for (const DeclaredWitness& witness : entry.witnesses) {
      if (!is_computed_here(entry, witness)) continue;
      ++computed[std::string(name(witness.kind))];
      EXPECT_EQ(fault_of(entry, witness, witnesses), "") << entry.id;
    }
  }
  EXPECT_GT(computed["truth"], 1);
  EXPECT_GT(computed["path"], 5);
  for (const auto& [kind, count] : computed) fmt::print("{}: {}\n", kind, count);
}

/// Only entries of class bug may have wrong answers of another kind: an element that is finite on
/// the scalar path and infinite or NaN on the vector path, or the reverse. No entry of another
/// class may have such a case, or such a neighbour that no other entry explains.
TEST(KnownWitness, OnlyABugContradictsItselfInKind) {
  const std::string scalar = "libtorch:cpu", vector = "libtorch:cpu?capability=avx2";
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  constexpr int kNeighbours = 25;
  const std::vector<KnownDifference> entries = without_frameworks(load_known_file("").differences);
  Witnesses witnesses;
  fuzz::Examiner examiner(vector, scalar, kTimeLimit, entries);
  int asked = 0, bugs = 0;
  for (const KnownDifference& entry : entries) {
    const Side side = parse_side(accused(entry));
    if (!side.is_libtorch() || !side.answers_values || !entry.is_of("value")) continue;
    const bool is_bug = entry.difference_class == "bug";
    const bool contradicts = contradict_in_kind(witnesses.ask(scalar, entry.case_line),
                                                witnesses.ask(vector, entry.case_line));
    bugs += is_bug && contradicts;
    if (is_bug) continue;
    EXPECT_FALSE(contradicts) << entry.id << ": " << entry.case_line;
    ++asked;
    Random random(1);
    for (int i = 0; i < kNeighbours; ++i) {
      const fuzz::Finding found =
          examiner.examine(draw_neighbour(random, parse_case(entry.case_line)));
      EXPECT_FALSE(is_failure(found.verdict.code) &&
                   contradict_in_kind(found.subject, found.oracle))
          << entry.id << ": " << print_case(found.c);
    }
  }
  EXPECT_GT(asked, 10);
  EXPECT_GT(bugs, 1) << "the control: contradictions are seen";
}

/// The control: wrong witnesses are noticed, such as a path that answers like the wrong one, and a
/// truth for a case that kills the side.
TEST(KnownWitness, AWrongOneIsNoticed) {
  Witnesses witnesses;
  KnownDifference entry;
  entry.kinds = {"refusal"};
  entry.case_line = "mul.Tensor(float8_e5m2[2], 2.5)";
  EXPECT_NE(
      fault_of(entry,
               {.kind = DeclaredWitness::Kind::kPath, .text = "mul.Tensor(float8_e5m2[2], 3.5)"},
               witnesses)
          .find("no contradiction in kind"),
      std::string::npos);
  EXPECT_EQ(fault_of(entry,
                     {.kind = DeclaredWitness::Kind::kPath,
                      .text = "mul.Tensor(float8_e5m2[2], float8_e5m2[2])"},
                     witnesses),
            "");
  EXPECT_NE(fault_of(entry, {.kind = DeclaredWitness::Kind::kTruth}, witnesses), "");
}

}  // namespace
}  // namespace upcast::tools
