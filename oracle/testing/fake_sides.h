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

/// A dense tensor of one dimension; T is the element type of the dtype.
template <class T>
Answer tensor_of(DType dtype, const std::vector<T>& values) {
  Answer answer{.tag = Answer::Tag::kTensor, .dtype = dtype};
  answer.sizes = {std::ssize(values)};
  answer.strides = {1};
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  answer.bytes.assign(bytes, bytes + values.size() * sizeof(T));
  return answer;
}

inline Answer floats(const std::vector<float>& values) {
  return tensor_of(DType::kFloat32, values);
}

inline Answer refusal() {
  return {.tag = Answer::Tag::kRefusal, .rejection = RejectionCode::kPromotion};
}

/// A side that answers what a function of the case returns.
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

/// Cases that differ only in their seed, which is 0, 1, 2, ... up to count - 1.
inline std::vector<std::string> seeded_lines(int count) {
  std::vector<std::string> lines;
  for (int seed = 0; seed < count; ++seed)
    lines.push_back("add.Tensor(float32[1], float32[1], seed=" + std::to_string(seed) + ")");
  return lines;
}

inline Plan plan_of_lines(const std::vector<std::string>& lines) {
  std::vector<Case> cases;
  for (const std::string& line : lines) cases.push_back(parse_case(line));
  return plan_of_cases(std::move(cases), "cases");
}

/// The TOML text of an entry of known_differences.toml, about add.Tensor, for tests.
inline std::string known_entry(const std::string& id, const std::string& kind,
                               const std::string& oracle, const std::string& libtorch = ">=2.15") {
  return "[[difference]]\nid = '" + id + "'\nselect = 'add.Tensor(*, *)'\nkind = '" + kind +
         "'\noracle = '" + oracle +
         "'\nclass = 'bug'\nwitness = 'majority: a, test'\nlibtorch = '" + libtorch +
         "'\nreason = 'a test'\nfound = '2026-11-22'\ncase = 'add.Tensor(float32[1], float32[1])'\n"
         "truth = 'float32[1]'\n" +
         (kind == "value" ? "no_truth = 'a test'\n" : "");
}

}  // namespace upcast::testing
