#include "cases/measured_findings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/known_differences.h"
#include "cases/testing/usage_error.h"
#include "cases/text_file.h"

namespace upcast {
namespace {

using nlohmann::json;

std::string sound_text() {
  return read_text_file(UPCAST_SOURCE_DIR "/cases/testing/measured_findings.json");
}

/// The error message for a sound file in which the value at a JSON pointer was replaced, or its key
/// removed.
std::string fault_after(const char* pointer, const json& value, bool is_removed = false) {
  json root = json::parse(sound_text());
  const json::json_pointer at(std::string("/findings") + pointer);
  if (is_removed)
    root[at.parent_pointer()].erase(at.back());
  else
    root[at] = value;
  return usage_error_of([&] { parse_measured_findings(root.dump()); });
}

TEST(MeasuredFindings, ReadsAFile) {
  const std::vector<MeasuredFinding> findings = parse_measured_findings(sound_text());
  ASSERT_EQ(findings.size(), 3U);
  const MeasuredFinding& first = findings[0];
  EXPECT_EQ(first.id, "zeta-nan");
  EXPECT_EQ(first.severity, Severity::kWrongKind);
  EXPECT_EQ(first.reach, (MeasuredFinding::Reach{"torch.special.zeta", true}));
  EXPECT_EQ(first.case_line, "special_zeta(float32[1]{1.0000001}, float32[1]{2})");
  EXPECT_EQ(first.subject, "impl:cpu");
  EXPECT_EQ(first.oracle, "libtorch:cpu");
  EXPECT_EQ(first.right, "float32[1]{8388608}");
  EXPECT_EQ(first.wrong, "float32[1]{nan}");
  ASSERT_TRUE(first.relative_error.has_value());
  EXPECT_TRUE(std::isinf(*first.relative_error));
  EXPECT_EQ(first.sample, (MeasuredFinding::Sample{"float32", 10000, 31, 0.25, HUGE_VAL}));
  EXPECT_EQ(first.shows.size(), 15U);
  EXPECT_EQ(first.shows[0], (MeasuredFinding::Cell{"float32", "functional", "scalar", true}));
  EXPECT_TRUE(first.python.starts_with("import torch\n"));
  EXPECT_EQ(first.why_no_python, "");
  EXPECT_TRUE(first.cpp.starts_with("#include"));
  EXPECT_EQ(findings[1].relative_error, std::nullopt);
  EXPECT_EQ(findings[1].sample, std::nullopt);
  EXPECT_EQ(findings[1].why_no_python, "its public functions pass no such out");
  EXPECT_EQ(findings[2].relative_error, 0.5);
  EXPECT_TRUE(parse_measured_findings(R"({"$schema": "", "findings": []})").empty());
}

TEST(MeasuredFindings, VersionsAreInOrderOfTheirNumbers) {
  const std::vector<std::pair<std::string, VersionAnswer>> expected{
      {"2.7.1", VersionAnswer::kRight},
      {"2.11.0", VersionAnswer::kShows},
      {"2.15.0", VersionAnswer::kShows}};
  EXPECT_EQ(parse_measured_findings(sound_text())[0].versions, expected);
}

TEST(MeasuredFindings, AFaultHasItsPlace) {
  EXPECT_EQ(fault_after("/1/severity", "wrong_kind"), "no error") << "the control";
  for (const auto& [pointer, value, fault] :
       std::vector<std::tuple<const char*, json, const char*>>{
           {"/1/severity", "bad",
            "/1/severity: unknown word 'bad' (crash, wrong_kind, wrong_value,"},
           {"/1/severity", "wrong_kindd", "did you mean wrong_kind?"},
           {"/1/id", "", "/1/id: a text that is not empty is needed"},
           {"/1/id", "zeta-nan", "/1/id: the id 'zeta-nan' is used twice"},
           {"/1/reach/default_path", 1, "/1/reach/default_path: true or false is needed"},
           {"/1/reach/pythn", "", "/1/reach: unknown key 'pythn'; did you mean python?"},
           {"/1/relative_error", -1, "/1/relative_error: an error is needed"},
           {"/1/relative_error", "nan", "/1/relative_error: an error is needed"},
           {"/0/sample/inputs", 1.5, "/0/sample/inputs: a whole number"},
           {"/0/sample/wrong", 10001, "/0/sample/wrong: more inputs are wrong than were asked"},
           {"/0/shows", json::object(), "/0/shows: a list is needed"},
           {"/0/shows/2/path", "sse", "/0/shows/2/path: unknown word 'sse'"},
           {"/0/versions/2.15.0", "yes", "/0/versions/2.15.0: unknown word 'yes'"},
           {"/0/versions", json::array(), "/0/versions: an object"},
           {"/0/why_no_python", "why?", "/0/why_no_python: it must say why"},
           {"/0/python", "", "/0/why_no_python: it must say why"},
           {"/0/python", nullptr, "/0/python: a text is needed"},
           {"/2", "text", "/2: an object with id"}})
    EXPECT_NE(fault_after(pointer, value).find(fault), std::string::npos)
        << pointer << ": " << fault_after(pointer, value);
}

TEST(MeasuredFindings, NoKeyIsLeftOut) {
  const json sound = json::parse(sound_text()).at("findings");
  for (const auto& [part, name] :
       std::vector<std::pair<json, std::string>>{{sound[0], "/0/"},
                                                 {sound[0]["reach"], "/0/reach/"},
                                                 {sound[0]["sample"], "/0/sample/"},
                                                 {sound[0]["shows"][0], "/0/shows/0/"}})
    for (const auto& [key, value] : part.items())
      EXPECT_NE(fault_after((name + key).c_str(), {}, true).find("'" + key + "' is missing"),
                std::string::npos)
          << name << key;
}

// Each finding in cases/measured_findings.json still has an entry among the known differences.
TEST(MeasuredFindings, EachHasItsEntry) {
  std::set<std::string> ids;
  for (const char* file : {"/cases/known_differences.toml", "/cases/compiler_differences.toml"})
    for (const KnownDifference& entry :
         load_known_differences(std::string(UPCAST_SOURCE_DIR) + file))
      ids.insert(entry.id);
  EXPECT_FALSE(ids.contains("zeta-nan")) << "the control";
  for (const MeasuredFinding& finding :
       parse_measured_findings(read_text_file(UPCAST_SOURCE_DIR "/cases/measured_findings.json")))
    EXPECT_TRUE(ids.contains(finding.id)) << finding.id;
}

TEST(MeasuredFindings, WhatIsNoJsonHasALine) {
  const std::string fault = usage_error_of([] { parse_measured_findings("[\n{\"id\": }]"); });
  EXPECT_NE(fault.find("measured findings: not JSON"), std::string::npos) << fault;
  EXPECT_NE(fault.find("line 2"), std::string::npos) << fault;
  EXPECT_NE(usage_error_of([] { parse_measured_findings("[]"); }).find("an object with $schema"),
            std::string::npos);
}

}  // namespace
}  // namespace upcast
