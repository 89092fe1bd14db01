// Tests of the pages that are made from the catalogue, and of `upcast audit`. They run the commands
// as a user does.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cases/text_file.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

TEST(Catalogue, PageIsUpToDate) {
  const CommandResult result = run_upcast({"list", "ops", "--markdown"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.out == file_text(UPCAST_SOURCE_DIR "/docs/catalogue.md"))
      << "run: upcast list ops --markdown > docs/catalogue.md";
}

TEST(Catalogue, PageIsFiltered) {
  const std::string page = run_upcast({"list", "ops", "asinh", "--markdown"}).out;
  EXPECT_NE(page.find("\n| asinh |"), std::string::npos) << page;
  EXPECT_EQ(page.find("\n| sin |"), std::string::npos) << page;
  EXPECT_EQ(page.find("\n## arithmetic"), std::string::npos) << "a family without rows";
}

TEST(Catalogue, MarkdownIsForOpsAlone) {
  EXPECT_TRUE(complains(run_upcast({"list", "dtypes", "--markdown"}),
                        {"--markdown is for 'upcast list ops' alone"}));
}

TEST(Audit, JsonHoldsCountsAndLists) {
  const CommandResult result = run_upcast({"audit", "--json", "-"});
  const Json json = result.json();
  EXPECT_EQ(json.at("tagged"), 546);
  EXPECT_EQ(json.at("implemented").get<int>() + json.at("excused").get<int>() +
                json.at("missing").get<int>(),
            546);
  EXPECT_LE(json.at("excused"), 12);
  EXPECT_EQ(json.at("missing_overloads").size(), json.at("missing"));
  EXPECT_EQ(json.at("excused_overloads").size(), json.at("excused"));
  const bool passes = json.at("missing") == 0 && json.at("stale") == 0;
  EXPECT_EQ(result.exit_code, passes ? 0 : 1);
}

TEST(Audit, TextNamesWhatIsMissing) {
  const Json json = run_upcast({"audit", "--json", "-"}).json();
  const std::string text = run_upcast({"audit"}).out;
  EXPECT_TRUE(holds(text, "tagged pointwise   546"));
  for (const std::string name : json.at("missing_overloads"))
    EXPECT_TRUE(holds(text, "  " + name + "\n"));
}

TEST(Audit, JsonGoesToAFileToo) {
  const std::string file = temporary_folder() + "/audit.json";
  const CommandResult result = run_upcast({"audit", "--json", file});
  EXPECT_TRUE(holds(result.out, "tagged pointwise   546"));
  std::ifstream written(file);
  EXPECT_EQ(Json::parse(written), run_upcast({"audit", "--json", "-"}).json());
}

}  // namespace
}  // namespace upcast::tools::testing
