// Tests of the models' rows, and of what the file of known differences may say of them.
#include "oracle/known/known_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cases/known_differences.h"
#include "impl/ops/catalogue.h"
#include "oracle/known/declared_answer.h"
#include "oracle/known/known_matcher.h"
#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

const char* const kFiles[] = {UPCAST_SOURCE_DIR "/cases/known_differences.toml",
                              UPCAST_SOURCE_DIR "/cases/compiler_differences.toml"};

std::optional<Answer> no_answer(const Case&, const Answer&) { return std::nullopt; }

bool is_catalogue_row(std::string_view name) {
  const auto ops = catalogue();
  return std::any_of(ops.begin(), ops.end(), [&](const Op& op) { return op.spec->name == name; });
}

/// The faults in a table of models, each as "MODEL OP: fault".
std::vector<std::string> faults(const ModelRows& rows) {
  std::vector<std::string> faults;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ModelRow& row : rows) {
    const std::string model(row.name);
    if (row.ops.empty()) faults.push_back(model + ": no op");
    for (const std::string_view op : row.ops) {
      const std::string where = model + " " + std::string(op);
      if (op != kEveryOp && !is_catalogue_row(op)) faults.push_back(where + ": no catalogue row");
      if (!seen.emplace(row.name, op).second) faults.push_back(where + ": twice");
      if (op == kEveryOp ? row.ops.size() > 1 : seen.contains({row.name, kEveryOp}))
        faults.push_back(where + ": every op, and this one");
    }
  }
  return faults;
}

TEST(KnownModels, EachOpOfARowIsACatalogueRow) {
  EXPECT_EQ(faults(model_rows()), std::vector<std::string>());
}

TEST(KnownModels, RowWithANameThatIsNoOpIsNoticed) {
  EXPECT_EQ(faults({{"a", {"add"}, &no_answer}}), std::vector<std::string>());
  EXPECT_EQ(faults({{"a", {"ad"}, &no_answer}}),
            std::vector<std::string>({"a ad: no catalogue row"}));
  EXPECT_EQ(faults({{"a", {"subtract"}, &no_answer}}),
            std::vector<std::string>({"a subtract: no catalogue row"}))
      << "an alias belongs to the row sub";
  EXPECT_EQ(faults({{"a", {"add", "sub"}, &no_answer}, {"a", {"add"}, &no_answer}}),
            std::vector<std::string>({"a add: twice"}));
  EXPECT_EQ(faults({{"a", {kEveryOp}, &no_answer}, {"a", {"add"}, &no_answer}}),
            std::vector<std::string>({"a add: every op, and this one"}));
  EXPECT_EQ(faults({{"a", {}, &no_answer}}), std::vector<std::string>({"a: no op"}));
}

TEST(KnownModels, EachModelIsThatOfAnEntry) {
  std::set<std::string> named;
  for (const char* const file : kFiles)
    for (const KnownDifference& entry : load_known_differences(file))
      named.insert(entry.wrong_answer);
  for (const ModelRow& row : model_rows())
    EXPECT_TRUE(named.contains("model:" + std::string(row.name))) << row.name;
}

/// Loads a file with one entry, as a run does. Returns the message that refuses the entry; "" if it
/// is accepted.
std::string refusal_of(const std::string& select, const std::string& model, const std::string& line,
                       const std::string& oracle = "libtorch:cpu") {
  const std::string entry = "[[difference]]\nid = 'an-entry'\nselect = '" + select +
                            "'\nkind = 'value'\noracle = 'model:" + model +
                            "'\nclass = 'by_design'\nlibtorch = '>=2.15'\nreason = 'r'\n"
                            "found = '2026-11-21'\ncase = '" +
                            line + "'\ntruth = 'refuses'\n";
  return usage_error_of([&] {
    KnownMatcher(
        parse_known_differences(entry, "known.toml"),
        {.subject = parse_side("impl:cpu"), .oracle = parse_side(oracle), .libtorch = "2.15.0"});
  });
}

TEST(KnownModels, EntryThatSelectsAnOpItsModelDoesNotKnowIsRefused) {
  const std::string line = "maximum(float32[2], float32[2])";
  EXPECT_EQ(refusal_of("maximum(*, *)", "later_zero_in_the_vector_body", line), "");
  EXPECT_EQ(refusal_of("{maximum,atan2}(*, *)", "later_zero_in_the_vector_body", line),
            "known difference an-entry: its selectors name the op atan2, but "
            "model:later_zero_in_the_vector_body knows maximum, clamp_min, minimum, clamp_max, "
            "clamp only; select no other op, or add a row for it to the model in oracle/known");
  EXPECT_NE(refusal_of("{maximum,atan2}(*, *)", "later_zero_in_the_vector_body", line, "truth"), "")
      << "in a run that the entry is not about, too";
}

TEST(KnownModels, AliasIsOfItsRowAndAConversionOfEveryOp) {
  const std::string line = "subtract.Tensor(float16[2], float16[2])";
  EXPECT_EQ(refusal_of("subtract.Tensor(*, *)", "alpha_in_the_dtype", line), "");
  EXPECT_EQ(refusal_of("*(*)", "converted_through_float32", "neg(float32[2])"), "");
}

TEST(KnownModels, EachEntryOfTheFileIsTaken) {
  for (const char* const file : kFiles)
    for (const KnownDifference& entry : load_known_differences(file))
      EXPECT_NO_THROW(DeclaredAnswer{entry}) << entry.id;
}

}  // namespace
}  // namespace upcast
