// Sides and known differences for tests of the host, without a worker.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/notation.h"
#include "oracle/subject.h"

namespace upcast::testing {

inline Answer floats(std::vector<float> values) {
  Answer answer;
  answer.tag = Answer::Tag::kTensor;
  answer.dtype = DType::kFloat32;
  answer.sizes = {std::ssize(values)};
  answer.strides = {1};
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  answer.bytes.assign(bytes, bytes + values.size() * sizeof(float));
  return answer;
}

inline Answer refusal() {
  Answer answer;
  answer.tag = Answer::Tag::kRefusal;
  answer.rejection = RejectionCode::kPromotion;
  return answer;
}

/// Answers what a function of the case says.
class FakeSide : public Subject {
 public:
  using Function = std::function<Answer(const Case&)>;
  explicit FakeSide(Function function) : function_(std::move(function)) {}
  void answer(const Case& c, Answer& answer) override {
    ++asked;
    answer = function_(c);
  }

  int asked = 0;

 private:
  Function function_;
};

/// `count` cases that differ in their seed: 0, 1, 2, ...
inline std::vector<std::string> seeded_lines(int count) {
  std::vector<std::string> lines;
  lines.reserve(static_cast<std::size_t>(count));
  for (int seed = 0; seed < count; ++seed) {
    lines.push_back("add.Tensor(float32[1], float32[1], seed=" + std::to_string(seed) + ")");
  }
  return lines;
}

inline Plan plan_of_lines(const std::vector<std::string>& lines) {
  std::vector<Case> cases;
  cases.reserve(lines.size());
  for (const std::string& line : lines) cases.push_back(parse_case(line));
  return plan_of_cases(std::move(cases), "cases");
}

}  // namespace upcast::testing
