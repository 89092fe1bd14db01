// A worker whose subjects fail on purpose, so that tests need no LibTorch to see a worker die.
//
//   plugin:FILE, and:
//   test:right        answers float32[1]{seed of the case}
//   test:wrong?3,5    answers another value if the case's seed is 3 or 5; without a list, always
//   test:refuse?3     refuses a case of seed 3
//   test:unable?3     cannot say for a case of seed 3, so that it is not judged
//   test:crash?3  test:abort?3  test:exit?3  test:kill?3  test:hang?3  test:slow?3  test:print?3
//                     do what their name says at a case of seed 3
//   test:hang-until?F hangs at the case of seed 5, while the file F does not exist
//   test:die-once?F   is killed from outside at its 20th case, while the file F does not exist
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

#include "oracle/host/wire.h"
#include "oracle/host/worker.h"
#include "oracle/planted/planted_bugs.h"
#include "oracle/plugin/remote_plugin.h"
#include "oracle/protocol/python_subject.h"
#include "oracle/subject.h"
#include "oracle/testing/fake_sides.h"

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
    answer = testing::floats({static_cast<float>(c.seed)});
    if (always_ || seeds_.contains(c.seed)) deed_(answer);
  }

  std::map<std::string, std::string> versions() const override { return {{"test", "1"}}; }

 private:
  Deed deed_;
  bool always_ = false;
  std::set<std::uint64_t> seeds_;
};

/// Answers as test:right, and runs an action before each case.
class WithFile : public Subject {
 public:
  using Deed = void (*)(const Case& c, int cases, const char* file);

  WithFile(const Side& side, Deed deed) : deed_(deed), file_(settings_text(side)) {}

  void answer(const Case& c, Answer& answer) override {
    right_.answer(c, answer);
    deed_(c, ++cases_, file_.c_str());
  }
  std::map<std::string, std::string> versions() const override { return right_.versions(); }

 private:
  Deed deed_;
  std::string file_;
  int cases_ = 0;
  TestSubject right_{{}, [](Answer&) {}};
};

void die_once(const Case&, int cases, const char* file) {
  if (cases == 20 && open(file, O_CREAT | O_EXCL, 0600) >= 0) raise(SIGKILL);
}

void hang_until(const Case& c, int, const char* file) {
  while (c.seed == 5 && access(file, F_OK) != 0) pause();
}

template <auto kDeed, class Made = TestSubject>
std::unique_ptr<Subject> make(const Side& side) {
  return std::make_unique<Made>(side, kDeed);
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
  register_subject("test:crash", make<[](Answer&) {
                     signal(SIGFPE, SIG_DFL);  // a sanitizer would make an exit of it
                     raise(SIGFPE);
                   }>);
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
  register_subject("test:hang-until", make<hang_until, WithFile>);
  register_subject("planted", &make_planted_subject);
  register_subject("test:die-once", make<die_once, WithFile>);
}

}  // namespace
}  // namespace upcast

int main(int argc, char** argv) {
  // Acts as a worker that cannot load its libraries.
  if (std::getenv("UPCAST_TEST_CANNOT_START") != nullptr) {
    std::fputs("error while loading shared libraries: libnone.so\n", stderr);
    return 127;
  }
  // Acts as workers that are killed from outside while they start. UPCAST_TEST_KILLED_AT_START
  // names a file with one byte for each kill that is left.
  if (const char* const file = std::getenv("UPCAST_TEST_KILLED_AT_START")) {
    struct stat left {};
    if (stat(file, &left) == 0 && left.st_size > 0 && truncate(file, left.st_size - 1) == 0)
      raise(SIGKILL);
  }
  // Acts as a worker of another build.
  if (std::getenv("UPCAST_TEST_OTHER_INPUTS") != nullptr) {
    upcast::wire::write_frame(STDOUT_FILENO,
                              upcast::wire::encode(upcast::WorkerHello{"", "of other cases", {}}));
    return 0;
  }
  upcast::register_test_subjects();
  upcast::register_remote_plugin();
  upcast::protocol::register_process_subjects();
  return upcast::worker_main(argc, argv);
}
