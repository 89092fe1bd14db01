#include "cases/measured_findings.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 2> kFileKeys{"$schema", "findings"};
constexpr std::array<std::string_view, 15> kKeys{
    "id",     "severity", "reach",  "case",           "subject",
    "oracle", "right",    "wrong",  "relative_error", "sample",
    "shows",  "versions", "python", "why_no_python",  "cpp"};
constexpr std::array<std::string_view, 2> kReachKeys{"python", "default_path"};
constexpr std::array<std::string_view, 5> kSampleKeys{"dtype", "inputs", "wrong", "median_error",
                                                      "largest_error"};
constexpr std::array<std::string_view, 4> kCellKeys{"dtype", "form", "path", "shows"};

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

/// A JSON value, and the JSON pointer to it, which faults name.
class Node {
 public:
  Node(const json& value, std::string pointer) : value_(value), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError("measured findings, " + (pointer_.empty() ? "whole" : pointer_) + ": " + what);
  }

  /// Checks that the value is an object with the keys `keys` and no others.
  void has_keys(std::span<const std::string_view> keys) const {
    if (!value_.is_object()) fail("an object with " + join(keys));
    for (const auto& [key, value] : value_.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail("unknown key '" + key + "'" + did_you_mean(key, keys) + " (" + join(keys) + ")");
    for (const std::string_view key : keys)
      if (!value_.contains(key)) fail("the key '" + std::string(key) + "' is missing");
  }
  Node at(std::string_view key) const {
    return {value_.at(std::string(key)), pointer_ + "/" + std::string(key)};
  }
  std::vector<Node> list() const {
    if (!value_.is_array()) fail("a list is needed");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < value_.size(); ++i)
      nodes.emplace_back(value_[i], pointer_ + "/" + std::to_string(i));
    return nodes;
  }
  bool is_null() const { return value_.is_null(); }

  std::string text() const {
    if (!value_.is_string()) fail("a text is needed");
    return value_.get<std::string>();
  }
  std::string name() const {
    if (text().empty()) fail("a text that is not empty is needed");
    return text();
  }
  /// The index in `words` of the value's text. An unknown word is a fault.
  std::size_t which_of(std::span<const std::string_view> words) const {
    const auto found = std::find(words.begin(), words.end(), text());
    if (found == words.end())
      fail("unknown word '" + text() + "'" + did_you_mean(text(), words) + " (" + join(words) +
           ")");
    return static_cast<std::size_t>(found - words.begin());
  }
  bool truth() const {
    if (!value_.is_boolean()) fail("true or false is needed");
    return value_.get<bool>();
  }
  std::int64_t count() const {
    if (!value_.is_number_integer() || value_.get<std::int64_t>() < 0)
      fail("a whole number that is not negative is needed");
    return value_.get<std::int64_t>();
  }
  double error() const {
    if (value_ == "inf") return std::numeric_limits<double>::infinity();
    if (!value_.is_number() || value_.get<double>() < 0)
      fail("an error is needed: a number that is not negative, or \"inf\"");
    return value_.get<double>();
  }
  std::vector<std::pair<std::string, VersionAnswer>> versions() const {
    if (!value_.is_object()) fail("an object of versions and their answers is needed");
    std::vector<std::pair<std::string, VersionAnswer>> list;
    for (const auto& [key, value] : value_.items())
      list.emplace_back(key, static_cast<VersionAnswer>(at(key).which_of(kVersionAnswers)));
    return list;
  }

 private:
  const json& value_;
  std::string pointer_;
};

/// The numbers of a version such as "2.14.1". Reading stops at the first other character.
std::vector<int> numbers(std::string_view version) {
  std::vector<int> parts;
  while (!version.empty()) {
    int part = 0;
    const auto [end, fault] =
        std::from_chars(version.data(), version.data() + version.size(), part);
    if (fault != std::errc{}) break;
    parts.push_back(part);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return parts;
}

MeasuredFinding::Reach read_reach(const Node& node) {
  node.has_keys(kReachKeys);
  return {node.at("python").text(), node.at("default_path").truth()};
}

MeasuredFinding::Sample read_sample(const Node& node) {
  node.has_keys(kSampleKeys);
  MeasuredFinding::Sample sample{node.at("dtype").name(), node.at("inputs").count(),
                                 node.at("wrong").count(), node.at("median_error").error(),
                                 node.at("largest_error").error()};
  if (sample.wrong > sample.inputs) node.at("wrong").fail("more inputs are wrong than were asked");
  return sample;
}

MeasuredFinding::Cell read_cell(const Node& node) {
  node.has_keys(kCellKeys);
  return {node.at("dtype").name(), node.at("form").name(),
          std::string(kFindingPaths[node.at("path").which_of(kFindingPaths)]),
          node.at("shows").truth()};
}

void read_programs(const Node& node, MeasuredFinding& finding) {
  finding.python = node.at("python").text();
  finding.why_no_python = node.at("why_no_python").text();
  finding.cpp = node.at("cpp").text();
  if (finding.python.empty() == finding.why_no_python.empty())
    node.at("why_no_python")
        .fail("it must say why there is no Python program, and only if there is none");
}

MeasuredFinding read_finding(const Node& node) {
  node.has_keys(kKeys);
  MeasuredFinding finding;
  finding.id = node.at("id").name();
  finding.severity = static_cast<Severity>(node.at("severity").which_of(kSeverityNames));
  finding.reach = read_reach(node.at("reach"));
  finding.case_line = node.at("case").name();
  finding.subject = node.at("subject").name();
  finding.oracle = node.at("oracle").name();
  finding.right = node.at("right").name();
  finding.wrong = node.at("wrong").name();
  if (const Node error = node.at("relative_error"); !error.is_null())
    finding.relative_error = error.error();
  if (const Node sample = node.at("sample"); !sample.is_null())
    finding.sample = read_sample(sample);
  for (const Node& cell : node.at("shows").list()) finding.shows.push_back(read_cell(cell));
  finding.versions = node.at("versions").versions();
  std::stable_sort(
      finding.versions.begin(), finding.versions.end(),
      [](const auto& a, const auto& b) { return numbers(a.first) < numbers(b.first); });
  read_programs(node, finding);
  return finding;
}

json parsed(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw UsageError(std::string("measured findings: not JSON: ") + error.what());
  }
}

}  // namespace

std::vector<MeasuredFinding> parse_measured_findings(std::string_view text) {
  const json root = parsed(text);
  const Node file(root, "");
  file.has_keys(kFileKeys);
  std::vector<MeasuredFinding> findings;
  std::set<std::string> ids;
  for (const Node& node : file.at("findings").list()) {
    findings.push_back(read_finding(node));
    if (!ids.insert(findings.back().id).second)
      node.at("id").fail("the id '" + findings.back().id + "' is used twice");
  }
  return findings;
}

}  // namespace upcast
