#include "reports/html/stories.h"

#include <algorithm>
#include <set>

#include "cases/json_text.h"
#include "reports/html/planes.h"

namespace upcast::reports {
namespace {

using json = nlohmann::ordered_json;

/// How many stories a pack has. zlib looks 32 KB back, and programs of one pack share most of their
/// text.
constexpr std::size_t kPack = 24;

/// The text with which all non-empty texts begin.
std::string common_start(const std::vector<CaseStory>& stories, std::string CaseStory::*text) {
  std::string start;
  bool is_first = true;
  for (const CaseStory& story : stories) {
    const std::string& each = story.*text;
    if (each.empty()) continue;
    if (is_first) start = each;
    is_first = false;
    const auto ends = std::mismatch(start.begin(), start.end(), each.begin(), each.end());
    start.erase(ends.first, start.end());
  }
  return start;
}

json value_json(const ValueBits& value) {
  json parts{{"value", value.value}, {"bits", value.bits}};
  if (!value.exact.empty()) parts["exact"] = value.exact;
  return parts;
}

json values_json(const std::vector<ValueBits>& values) {
  json list = json::array();
  for (const ValueBits& value : values) list.push_back(value_json(value));
  return list;
}

json story_json(const CaseStory& story, std::size_t cpp_start, std::size_t python_start) {
  json operands = json::array();
  for (const OperandStory& operand : story.operands)
    operands.push_back({{"name", operand.name},
                        {"text", operand.text},
                        {"elements", operand.elements},
                        {"values", values_json(operand.values)}});
  json elements = json::array();
  for (const ElementStory& element : story.elements)
    elements.push_back({{"index", element.index},
                        {"operands", values_json(element.operands)},
                        {"subject", value_json(element.subject)},
                        {"oracle", value_json(element.oracle)}});
  const auto rest = [](const std::string& text, std::size_t start) {
    return text.empty() ? json() : json(text.substr(start));
  };
  return {{"explanation", story.explanation},
          {"operands", operands},
          {"elements", elements},
          {"cpp", rest(story.cpp, cpp_start)},
          {"python", rest(story.python, python_start)},
          {"why", story.no_program},
          {"noPython", story.no_python},
          {"needs", story.needs}};
}

std::string dump(const json& value) { return dump_json(value); }

}  // namespace

std::vector<const CaseRecord*> noteworthy(const RunData& data) {
  std::vector<const CaseRecord*> rows;
  std::set<int64_t> chosen;
  const auto choose = [&](const CaseRecord& row, std::size_t most = kMaxStories) {
    if (rows.size() < most && !row.line.empty() && chosen.insert(row.case_index).second)
      rows.push_back(&row);
  };
  for (const FailureGroup& group : data.failures) choose(group.record);
  std::set<int> known;
  for (const CaseRecord& row : data.records)
    if (row.known != 0 && known.insert(row.known).second) choose(row);
  for (const CaseRecord& row : data.records) {
    const uint8_t verdict = data.bytes(row.case_index).verdict;
    if (verdict != kNotStored && is_failure(static_cast<VerdictCode>(verdict))) choose(row);
  }
  for (const CaseRecord& row : data.records) choose(row, kMaxStories / 2);
  std::sort(rows.begin(), rows.end(),
            [](const CaseRecord* a, const CaseRecord* b) { return a->case_index < b->case_index; });
  return rows;
}

json stories_json(const RunData& data, const CaseTeller& teller) {
  if (!teller || !data.rulebooks.empty()) return nullptr;  // cells of rule books are no cases
  std::vector<CaseStory> stories;
  json cases = json::array();
  for (const CaseRecord* row : noteworthy(data)) {
    stories.push_back(teller(*row, data.summary));
    cases.push_back(row->case_index);
  }
  const std::string cpp = common_start(stories, &CaseStory::cpp);
  const std::string python = common_start(stories, &CaseStory::python);
  json packs = json::array();
  for (std::size_t first = 0; first < stories.size(); first += kPack) {
    json pack = json::array();
    for (std::size_t i = first; i < std::min(stories.size(), first + kPack); ++i)
      pack.push_back(story_json(stories[i], cpp.size(), python.size()));
    packs.push_back(base64(deflated(dump(pack))));
  }
  return {{"cases", cases}, {"pack", kPack}, {"cpp", cpp}, {"python", python}, {"packs", packs}};
}

}  // namespace upcast::reports
