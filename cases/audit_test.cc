#include "cases/audit.h"

#include <gtest/gtest.h>

#include "cases/testing/usage_error.h"
#include "cases/text_file.h"

namespace upcast {
namespace {

constexpr std::string_view kExcuses =
    "[[excuse]]\noverload = \"no_such.random\"\nreason = \"random\"\n";

TEST(Audit, SortsEveryOverload) {
  const Audit audit =
      audit_catalogue("# two\nadd.Tensor\nadd_.Tensor\nno_such.random\nno_such.op\n", kExcuses);
  EXPECT_EQ(audit.tagged.size(), 4U);
  EXPECT_EQ(audit.implemented, (std::vector<std::string>{"add.Tensor", "add_.Tensor"}));
  ASSERT_EQ(audit.excused.size(), 1U);
  EXPECT_EQ(audit.excused[0].reason, "random");
  EXPECT_EQ(audit.missing, std::vector<std::string>{"no_such.op"});
  EXPECT_TRUE(audit.stale.empty());
  EXPECT_FALSE(audit.passes());
  EXPECT_TRUE(audit_catalogue("add.Tensor\nno_such.random\n", kExcuses).passes());
}

TEST(Audit, AnExcuseForWhatIsThereIsStale) {
  const Audit audit =
      audit_catalogue("add.Tensor\n", "[[excuse]]\noverload = \"add.Tensor\"\nreason = \"none\"\n");
  EXPECT_EQ(audit.implemented.size(), 1U);
  ASSERT_EQ(audit.stale.size(), 1U);
  EXPECT_FALSE(audit.passes());
  EXPECT_FALSE(audit_catalogue("add.Tensor\n", kExcuses).passes())
      << "no_such.random is not tagged here";
}

TEST(Audit, TooManyExcusesFail) {
  std::string overloads, excuses;
  for (std::size_t i = 0; i <= kMaxExcuses; ++i) {
    overloads += "no_such_op_" + std::to_string(i) + "\n";
    excuses += "[[excuse]]\noverload = \"no_such_op_" + std::to_string(i) + "\"\nreason = \"r\"\n";
  }
  const Audit audit = audit_catalogue(overloads, excuses);
  EXPECT_TRUE(audit.missing.empty());
  EXPECT_FALSE(audit.passes());
}

TEST(Audit, AnEmptyListDoesNotPass) { EXPECT_FALSE(audit_catalogue("# none\n", "").passes()); }

TEST(Audit, IllFormedExcusesSayWhere) {
  for (const auto& [text, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"[[excuse]]\noverload = \"x\"\n",
            "audit_excuses.toml:1: an excuse has an overload and a reason"},
           {"[[excuse]]\nwhy = \"x\"\n",
            "audit_excuses.toml:2: unknown key 'why'; there are overload and reason"},
           {"excuses = 3\n", "audit_excuses.toml:1: the file holds [[excuse]] tables"},
           {"[[excuse]]\noverload = 3\n", "audit_excuses.toml:2: overload is a text"}})
    EXPECT_EQ(usage_error_of([&] { audit_catalogue("add.Tensor\n", text); }), message);
}

TEST(Audit, TheListHoldsTheOverloadsOfItsHeader) {
  const std::string text = read_text_file(UPCAST_SOURCE_DIR "/cases/pointwise_overloads.txt");
  EXPECT_EQ(text.find("# The 546 overloads that LibTorch 2.15.0 tags pointwise"), 0U);
  const Audit audit =
      audit_catalogue(text, read_text_file(UPCAST_SOURCE_DIR "/cases/audit_excuses.toml"));
  EXPECT_EQ(audit.tagged.size(), 546U);
  EXPECT_LE(audit.excused.size(), kMaxExcuses);
}

}  // namespace
}  // namespace upcast
