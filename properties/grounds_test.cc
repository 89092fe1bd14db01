// Tests of what properties leave out: exclusions of cases, omissions of callables, and the grounds
// that justify them.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "cases/known_differences.h"
#include "cases/laws/broken_laws.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "properties/layout_generators.h"
#include "properties/omissions.h"

namespace upcast::properties {
namespace {

/// The most exclusions that may have grounds of the kind "ambiguous". This number may only be
/// lowered.
constexpr std::size_t kAmbiguousGrounds = 3;

/// The ids of known differences and of broken laws, which grounds may name.
struct Grounds {
  std::set<std::string> entries, laws;
};

/// The first id of a list "ID, ID" that is not known, as a message; "" if all are known.
std::string unknown_id(std::string_view ids, const std::set<std::string>& known) {
  std::istringstream list{std::string(ids)};
  for (std::string id; std::getline(list >> std::ws, id, ',');)
    if (!known.contains(id)) return "no entry " + id;
  return "";
}

/// What is wrong with the grounds of an exclusion or an omission, as a message; "" if nothing is.
std::string fault_of(std::string_view grounds, const Grounds& known) {
  const std::size_t colon = grounds.find(": ");
  if (colon == grounds.npos || colon + 2 == grounds.size()) return "no grounds";
  const std::string_view kind = grounds.substr(0, colon), rest = grounds.substr(colon + 2);
  if (kind == "entry") return unknown_id(rest, known.entries);
  if (kind == "law") return unknown_id(rest, known.laws);
  return kind == "witness" || kind == "ambiguous" ? "" : "no grounds";
}

Grounds declared_grounds() {
  Grounds known;
  for (const KnownDifference& entry :
       load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml"))
    known.entries.insert(entry.id);
  for (const BrokenLaw& law : broken_laws()) known.laws.insert(law.id);
  return known;
}

/// The omissions of all generators, as one list.
std::vector<const Omission*> all_omissions() {
  std::vector<const Omission*> all;
  for (const Generator* generator : generators())
    for (const Omission& each : generator->left_out) all.push_back(&each);
  return all;
}

TEST(Properties, EveryExclusionHasGrounds) {
  const Grounds known = declared_grounds();
  std::vector<const Exclusion*> all;
  for (const Topic& topic : topics())
    for (const Property& property : topic.properties)
      for (const Exclusion& exclusion : property.exclusions) all.push_back(&exclusion);
  for (const Exclusion& exclusion : deadly_cases()) all.push_back(&exclusion);
  // {kind of grounds: the different grounds of that kind}.
  std::map<std::string, std::set<std::string_view>> counts;
  const auto take = [&](std::string_view grounds, std::string_view reason) {
    EXPECT_EQ(fault_of(grounds, known), "") << reason;
    counts[std::string(grounds.substr(0, grounds.find(':')))].insert(grounds);
  };
  for (const Exclusion* each : all) take(each->grounds, each->reason);
  const std::vector<const Omission*> omissions = all_omissions();
  for (const Omission* each : omissions) take(each->grounds, each->reason);
  std::printf(
      "%zu exclusions, %zu omissions: distinct grounds by entries %zu, by broken laws %zu, by "
      "witnesses %zu, ambiguous %zu\n",
      all.size(), omissions.size(), counts["entry"].size(), counts["law"].size(),
      counts["witness"].size(), counts["ambiguous"].size());
  EXPECT_LE(counts["ambiguous"].size(), kAmbiguousGrounds) << "find an entry or a witness";
}

TEST(Properties, GroundsThatAreNoneAreSeen) {
  const Grounds known{{"one", "two"}, {"law"}};
  EXPECT_EQ(fault_of("entry: one, two", known), "");
  EXPECT_EQ(fault_of("entry: one, three", known), "no entry three");
  EXPECT_EQ(fault_of("entry: law", known), "no entry law");
  EXPECT_EQ(fault_of("law: law", known), "");
  EXPECT_EQ(fault_of("law: one", known), "no entry one");
  EXPECT_EQ(fault_of("ambiguous: why", known), "");
  EXPECT_EQ(fault_of("", known), "no grounds");
  EXPECT_EQ(fault_of("witness: ", known), "no grounds");
  EXPECT_EQ(fault_of("open: nothing", known), "no grounds");
  EXPECT_EQ(fault_of("by design", known), "no grounds");
}

bool is_left_out(const Generator& generator, const FoundOp& callable) {
  return is_left_out(generator.left_out, *callable.op, callable.overload, callable.form);
}

/// The ops that a generator should draw but never does, as text; "" if it draws all.
std::string never_drawn(const Generator& generator) {
  constexpr int kMostDraws = 100'000;
  std::map<Form, std::set<const Op*>> drawn;
  std::map<Form, std::set<const Op*>> wanted;
  for_each_callable([&](const Op& op, int overload, Form form) {
    if (!is_left_out(generator, {&op, overload, form})) wanted[form].insert(&op);
  });
  rc::Random random(11);
  bool all = false;
  for (int i = 0; i < kMostDraws && !all; ++i) {
    Draw draw(random.split(), i % 100);
    const Case c = generator.draw(draw);
    if (is_left_out(generator, {c.op, c.overload, c.form}))
      return "what is left out: " + print_case(c);
    drawn[c.form].insert(c.op);
    all = i % 1000 == 999;
    for (const auto& [form, ops] : drawn) all = all && ops.size() == wanted[form].size();
  }
  std::string missing;
  for (const auto& [form, ops] : drawn)
    for (const Op* op : wanted[form])
      if (!ops.contains(op)) missing += " " + std::string(op->spec->name);
  return missing;
}

TEST(Generators, DrawEveryOpThatTheyDoNotLeaveOut) {
  for (const Generator* generator : generators()) {
    if (!generator->left_out.empty()) {
      EXPECT_EQ(never_drawn(*generator), "") << generator->name;
    }
  }
  Generator blind = kCallsOfVectors;
  blind.left_out = of_exact_results();
  EXPECT_TRUE(never_drawn(blind).starts_with("what is left out")) << "a control";
  blind = kExactCalls;
  blind.left_out = of_layouts();
  EXPECT_NE(never_drawn(blind).find(" exp "), std::string::npos) << "a control";
}

TEST(Generators, LeaveOutNothingThatThereIsNot) {
  for (const Omission* each : all_omissions()) {
    int callables = 0;
    for_each_callable([&](const Op& op, int overload, Form form) {
      callables += static_cast<int>(each->leaves_out(op, overload, form));
    });
    EXPECT_GT(callables, 0) << each->reason << ": delete the omission";
  }
}

}  // namespace
}  // namespace upcast::properties
