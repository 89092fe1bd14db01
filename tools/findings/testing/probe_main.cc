// upcast-repro-probe: reproducers of invented differences, to test the reproducers themselves.
//   upcast-repro-probe FILE.cases --cpp FILE --python FILE
//   upcast-repro-probe FILE.cases --short FOLDER
// Each program is told that LibTorch's own answer to a case is wrong, and that another answer is
// right. So it must say that the difference is there, and print LibTorch's answer.
#include <fmt/format.h>

#include "cases/notation.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/libtorch/register.h"
#include "tools/findings/findings_options.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

/// Another answer than the given one, to be taken for right: the first element of the tensor
/// becomes 1, or 2 if it was 1.
Answer another(Answer answer) {
  if (answer.tag == Answer::Tag::kRefusal)
    return {.tag = Answer::Tag::kTensor, .dtype = DType::kFloat32};
  if (answer.tag == Answer::Tag::kDType) {
    answer.dtype = answer.dtype == DType::kInt8 ? DType::kInt16 : DType::kInt8;
    return answer;
  }
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  check(answer.bytes.size() >= size, "an element");
  if (!kElementwise.contains(answer.dtype) || is_bool(answer.dtype)) {
    answer.bytes[0] ^= std::byte{1};
    return answer;
  }
  const std::vector<std::byte> before = answer.bytes;
  for (const double value : {1.0, 2.0}) {
    cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), answer.dtype,
                  answer.bytes.data(), 1);
    if (answer.bytes != before) break;
  }
  return answer;
}

std::vector<fuzz::Reproducible> probes(const std::string& path) {
  std::vector<fuzz::Reproducible> all;
  fuzz::ChildSide libtorch("libtorch:cpu", 10);
  for (const Case& c : load_cases(path)) {
    fuzz::Reproducible made{.name = fmt::format("case_{}", all.size()), .c = c};
    made.wrong = libtorch.ask(c);
    if (made.wrong.died() || made.wrong.answer.tag == Answer::Tag::kNotJudged)
      throw UsageError(print_case(c) + ": " + made.wrong.text());
    made.right.answer = another(made.wrong.answer);
    made.sets = {.capability = false, .onednn = false};
    made.code = judge(c, made.right.answer, made.wrong.answer).code;
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) try {
  upcast::register_libtorch_subjects();
  if (argc != 4 && argc != 6)
    throw upcast::UsageError(
        "upcast-repro-probe FILE.cases --cpp FILE --python FILE, or --short FOLDER");
  const auto all = upcast::tools::probes(argv[1]);
  if (argc == 4) {
    upcast::tools::write_short(all, argv[3]);
    return 0;
  }
  upcast::tools::write_output(argv[3], upcast::fuzz::cpp_reproducers(all));
  upcast::tools::write_output(argv[5], upcast::fuzz::python_reproducers(all));
  return 0;
} catch (const upcast::UsageError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
