// Each bug that is declared has a witness, and each witness that can be computed says so again:
// docs/decisions/0014-an-accusation-needs-a-witness.md. The truth of bugs in values, with both
// errors, is oracle.known_truth's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "cases/notation.h"
#include "fuzz/findings/child_side.h"
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

/// Above what a side takes for any case but one that hangs.
constexpr double kTimeLimit = 10;

/// Sides that survive what is asked, each started once.
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

bool is_decided(const Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor || answer.bytes.empty()) return false;
  for (const double leeway : answer.leeway)
    if (std::isinf(leeway)) return false;
  return true;
}

/// What does not hold of a witness, "" where it does.
std::string fault_of(const KnownDifference& entry, const DeclaredWitness& witness,
                     Witnesses& witnesses) {
  const Reply wrong = witnesses.ask(accused(entry), entry.case_line);
  if (witness.kind == DeclaredWitness::Kind::kTruth) {
    if (entry.kinds.front() == "value") return "";
    const Reply truth = witnesses.ask("truth", entry.case_line);
    if (!wrong.died()) return "only a death or a value is off the truth";
    return is_decided(truth.answer) ? "" : "the truth does not decide the case: " + truth.text();
  }
  if (witness.kind != DeclaredWitness::Kind::kPath) return "";
  const std::string& side = witness.side.empty() ? accused(entry) : witness.side;
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
  for (const KnownDifference& entry : load_known_file("").differences) {
    if (!version_in_range(version, entry.versions) || !shows_here(entry)) continue;
    if (parse_side(accused(entry)).vendor == Vendor::kUpcast) continue;
    for (const DeclaredWitness& witness : entry.witnesses) {
      ++computed[std::string(name(witness.kind))];
      EXPECT_EQ(fault_of(entry, witness, witnesses), "") << entry.id;
    }
  }
  EXPECT_GT(computed["truth"], 20);
  EXPECT_GT(computed["path"], 5);
  for (const auto& [kind, count] : computed) fmt::print("{}: {}\n", kind, count);
}

/// A path that answers alike, and a truth that is not asked for a death, are noticed.
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
