// A worker whose subjects fail on purpose, so that tests need no LibTorch to see a worker die.
//
// plugin:FILE, and:
//   test:right        answers float32[1]{seed of the case}
//   test:wrong?3,5    another value where the case's seed is 3 or 5; without a list, always
//   test:refuse?3     refuses there
//   test:unable?3     cannot say there, so that nobody judges it
//   test:crash?3  test:abort?3  test:exit?3  test:kill?3  test:hang?3  test:slow?3  test:print?3
//   test:hang-until?F hangs at the case of seed 5, while the file F does not exist
//   test:die-once?F   is killed from outside at its 20th case, while the file F does not exist
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include "oracle/host/wire.h"
#include "oracle/host/worker.h"
#include "oracle/planted/planted_bugs.h"
#include "oracle/plugin/remote_plugin.h"
#include "oracle/subject.h"

namespace upcast {
namespace {

class TestSubject : public Subject {
 public:
  using Deed = void (*)(Answer& answer);

  TestSubject(const Side& side, Deed deed) : deed_(deed), always_(side.settings.empty()) {
    std::istringstream seeds(settings_text(side));
    for (std::string seed; std::getline(seeds, seed, ',');) seeds_.insert(std::stoull(seed));
  }

  void answer(const Case& c, Answer& answer) override {
    const auto value = static_cast<float>(c.seed);
    answer.tag = Answer::Tag::kTensor;
    answer.dtype = DType::kFloat32;
    answer.sizes = {1};
    answer.strides = {1};
    answer.bytes.resize(sizeof value);
    std::memcpy(answer.bytes.data(), &value, sizeof value);
    if (always_ || seeds_.contains(c.seed)) deed_(answer);
  }

  std::map<std::string, std::string> versions() const override { return {{"test", "1"}}; }

 private:
  Deed deed_;
  bool always_ = false;
  std::set<std::uint64_t> seeds_;
};

class DieOnce : public Subject {
 public:
  explicit DieOnce(const Side& side) : file_(settings_text(side)) {}

  void answer(const Case& c, Answer& answer) override {
    right_.answer(c, answer);
    if (++cases_ == 20 && open(file_.c_str(), O_CREAT | O_EXCL, 0600) >= 0) raise(SIGKILL);
  }

 private:
  std::string file_;
  int cases_ = 0;
  TestSubject right_{{}, [](Answer&) {}};
};

class HangUntil : public Subject {
 public:
  explicit HangUntil(const Side& side) : file_(settings_text(side)) {}

  void answer(const Case& c, Answer& answer) override {
    right_.answer(c, answer);
    while (c.seed == 5 && access(file_.c_str(), F_OK) != 0) pause();
  }
  std::map<std::string, std::string> versions() const override { return right_.versions(); }

 private:
  std::string file_;
  TestSubject right_{{}, [](Answer&) {}};
};

template <auto kDeed>
std::unique_ptr<Subject> make(const Side& side) {
  return std::make_unique<TestSubject>(side, kDeed);
}

[[noreturn]] void hang() {
  for (;;) pause();
}

void register_test_subjects() {
  register_subject("test:right", make<[](Answer&) {}>);
  register_subject("test:wrong", make<[](Answer& answer) { answer.bytes[0] ^= std::byte{1}; }>);
  register_subject("test:refuse", make<[](Answer& answer) { answer.tag = Answer::Tag::kRefusal; }>);
  register_subject("test:unable",
                   make<[](Answer& answer) { answer.tag = Answer::Tag::kNotJudged; }>);
  register_subject("test:crash", make<[](Answer&) { raise(SIGFPE); }>);
  register_subject("test:abort", make<[](Answer&) {
                     std::fputs("first line\nthe reason of the abort\n", stderr);
                     std::abort();
                   }>);
  register_subject("test:exit", make<[](Answer&) { std::_Exit(3); }>);
  register_subject("test:kill", make<[](Answer&) { raise(SIGKILL); }>);
  register_subject("test:hang", make<[](Answer&) { hang(); }>);
  register_subject("test:slow", make<[](Answer&) { usleep(300'000); }>);
  register_subject("test:print", make<[](Answer&) {
                     std::puts("a library prints on standard output");
                     std::fflush(stdout);
                   }>);
  register_subject("test:hang-until", [](const Side& side) -> std::unique_ptr<Subject> {
    return std::make_unique<HangUntil>(side);
  });
  register_subject("planted", &make_planted_subject);
  register_subject("test:die-once", [](const Side& side) -> std::unique_ptr<Subject> {
    return std::make_unique<DieOnce>(side);
  });
}

}  // namespace
}  // namespace upcast

int main(int argc, char** argv) {
  // Stands for a worker that cannot load its libraries.
  if (std::getenv("UPCAST_TEST_CANNOT_START") != nullptr) {
    std::fputs("error while loading shared libraries: libnone.so\n", stderr);
    return 127;
  }
  // Stands for a worker of another build.
  if (std::getenv("UPCAST_TEST_OTHER_INPUTS") != nullptr) {
    upcast::wire::write_frame(STDOUT_FILENO,
                              upcast::wire::encode(upcast::WorkerHello{"", "of other cases", {}}));
    return 0;
  }
  upcast::register_test_subjects();
  upcast::register_remote_plugin();
  return upcast::worker_main(argc, argv);
}
