// upcast-sweep with sides that are wrong on purpose, at one input each:
//
//   planted:ulp?0x3c01    the next value away from zero
//   planted:sign?0x8000   the other sign, of zero too
//   planted:nan?0x3c01    NaN for a number
//   planted:die?0x3c01    the process is killed at the input
//
// All else is impl:cpu's. The input is numbered as `upcast sweep` numbers it: the operand's bits,
// those of two operands side by side.
#include <charconv>
#include <csignal>
#include <cstring>

#include "impl/core/error.h"
#include "oracle/subject.h"
#include "oracle/truth/truth_subject.h"
#include "tools/sweep/sweep_command.h"

namespace upcast {
namespace {

using Deed = void (*)(std::byte* element, std::size_t size);

class PlantedSubject : public Subject {
 public:
  PlantedSubject(const Side& side, Deed deed) : deed_(deed) {
    const std::string input = settings_text(side);
    const char* end = input.data() + input.size();
    if (!input.starts_with("0x") || std::from_chars(input.data() + 2, end, input_, 16).ptr != end)
      throw UsageError("a planted side names an input: planted:ulp?0x3c01");
  }

  void answer(const Case& c, Answer& answer) override {
    right_->answer(c, answer);
    const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
    const std::uint64_t count = answer.bytes.size() / size;
    const std::uint64_t first = c.seed * count;
    if (input_ >= first && input_ < first + count)
      deed_(answer.bytes.data() + (input_ - first) * size, size);
  }
  std::map<std::string, std::string> versions() const override { return {{"planted", "1"}}; }

 private:
  std::unique_ptr<Subject> right_ = make_subject("impl:cpu");
  Deed deed_;
  std::uint64_t input_ = 0;
};

void next_value(std::byte* element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, size);
  ++bits;
  std::memcpy(element, &bits, size);
}

template <auto kDeed>
std::unique_ptr<Subject> make(const Side& side) {
  return std::make_unique<PlantedSubject>(side, kDeed);
}

}  // namespace
}  // namespace upcast

int main(int argc, char** argv) {
  using upcast::make;
  using upcast::register_subject;
  register_subject("truth", &upcast::make_truth_subject);
  register_subject("planted:ulp", make<upcast::next_value>);
  register_subject(
      "planted:sign",
      make<[](std::byte* element, std::size_t size) { element[size - 1] ^= std::byte{0x80}; }>);
  register_subject(
      "planted:nan",
      make<[](std::byte* element, std::size_t size) { std::memset(element, 0xff, size); }>);
  register_subject("planted:die", make<[](std::byte*, std::size_t) { raise(SIGKILL); }>);
  return upcast::tools::sweep_main(argc, argv, {.truth = {"impl:cpu"}, .paths = {"impl:cpu"}});
}
