#include "oracle/plugin/serve_plugin.h"

#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "cases/notation.h"
#include "cases/select.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/plugin/answer_ring.h"
#include "oracle/plugin/plugin_subject.h"
#include "oracle/process/message_child.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // GCC 12 has no header for it
#endif

namespace upcast {
namespace {

/// A process whose memory has grown by this many bytes since its start ends, because the plug-in
/// leaks. A new process goes on.
constexpr std::int64_t kMaxGrowth = std::int64_t{1} << 30;

/// Takes standard output away from the plug-in, and returns a descriptor for it, so that only we
/// write there.
int claim_output() {
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

/// Takes standard input away from the plug-in, and returns a descriptor for it, so that only we
/// read there.
int claim_input() {
  const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  close(null);
  return input;
}

/// The handler for fatal signals. A plug-in at its memory limit dies of the null pointer that
/// malloc() gave it. The handler then prints "out of memory".
void die_and_tell(int number) {
  constexpr std::string_view kWords = "out of memory\n";
  if (errno == ENOMEM) {
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, kWords.data(), kWords.size());
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

/// Sets the process's signal handlers before the plug-in is loaded, which may replace them. Timer
/// signals are ignored: a timer that the plug-in leaves would kill this process during a later
/// case.
void set_signals() {
  for (const int number : {SIGALRM, SIGVTALRM, SIGPROF}) std::signal(number, SIG_IGN);
  for (const int number : {SIGSEGV, SIGABRT}) std::signal(number, die_and_tell);
}

void say(int output, std::string_view line) {
  const std::string text = std::string(line) + "\n";
  [[maybe_unused]] const ssize_t n = write(output, text.data(), text.size());
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/// How many bytes malloc() has given out. A sanitizer has a malloc() of its own.
std::int64_t allocated() {
  return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
}

/// How many bytes of memory the plug-in uses. What a sanitizer needs besides is not the plug-in's.
std::int64_t in_use() { return allocated(); }

#else

/// How many bytes malloc() has given out.
std::int64_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
}

/// How many bytes of memory this process uses.
std::int64_t in_use() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

#endif

using Requests = MessageReader<Lines>;

/// Reads a plan from a request: "grid NAME SELECTION", or "cases N", which N case lines follow.
Plan read_plan(const std::string& request, Requests& requests) {
  std::istringstream line(request);
  std::string kind;
  std::string what;
  line >> kind >> what;
  if (kind == "grid") {
    std::string selection;
    std::getline(line, selection);
    return select(make_grid(what), Selection::parse(selection));
  }
  std::vector<Case> cases;
  for (auto left = std::stoll(what); left > 0; --left)
    if (const auto text = requests.read()) cases.push_back(parse_case(*text));
  return plan_of_cases(std::move(cases), "cases");
}

/// Ends the process if the plug-in closed descriptors that are ours. Otherwise the process could
/// not be woken any more, and the next case would be blamed.
void need_open(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors)
    if (fcntl(descriptor, F_GETFD) < 0) std::_Exit(kClosedOurDescriptors);
}

/// Answers a request "block FIRST COUNT SKIPPED...", one case at a time.
void answer_block(const Plan& plan, Subject& subject, const std::string& request, AnswerRing& ring,
                  int input, int output) {
  const auto wake = [output] { say(output, ""); };
  std::istringstream line(request);
  std::string block;
  std::int64_t first = 0, count = 0;
  line >> block >> first >> count;
  std::set<std::int64_t> skipped;
  for (std::int64_t index = 0; line >> index;) skipped.insert(index);
  const GridRow* row = nullptr;
  Case c;
  Answer answer;
  std::string bytes;
  for (std::int64_t index = first; index < first + count; ++index) {
    if (row == nullptr || index >= row->first + row->count) {
      row = &plan.row_of(index);
      c = row->prototype;
    }
    if (!skipped.empty() && skipped.contains(index)) continue;
    row->decode(index - row->first, c);
    subject.answer(c, answer);
    need_open({input, output});
    encode_answer(answer, bytes);
    ring.write(bytes, wake);
  }
  ring.flush(wake);
}

}  // namespace

int plugin_worker_main(int argc, char** argv) try {
  if (argc != 3) throw UsageError("upcast-plugin-worker is started by upcast, not by hand");
  // This thread keeps the C locale, even if a plug-in sets another one.
  uselocale(newlocale(LC_ALL_MASK, "C", nullptr));
  set_signals();
  const int output = claim_output();
  const int input = claim_input();
  Requests requests(input);
  AnswerRing ring(std::atoi(argv[2]));
  nlohmann::json hello{{"error", ""},
                       {"versions", nlohmann::json::object()},
                       {"manifest", nullptr},
                       {"infers", false}};
  std::unique_ptr<PluginSubject> subject;
  try {
    subject = std::make_unique<PluginSubject>(parse_side(argv[1]));
    hello["versions"] = subject->versions();
    hello["programs"] = subject->programs();
    hello["manifest"] = nlohmann::json::parse(subject->description(), nullptr, false);
    hello["infers"] = subject->infers();
  } catch (const UsageError& error) {
    hello["error"] = error.what();
  }
  need_open({input, output});
  say(output, hello.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  const std::int64_t at_first = in_use();
  Plan plan;
  while (const auto request = subject ? requests.read() : std::nullopt) {
    if (*request == "memory") {
      say(output, std::to_string(allocated()));
      continue;
    }
    if (!request->starts_with("block ")) {
      plan = read_plan(*request, requests);
      if (request->starts_with("grid ")) say(output, kPlanned);
      continue;
    }
    answer_block(plan, *subject, *request, ring, input, output);
    if (in_use() - at_first > kMaxGrowth) {
      say(output, kGoodbye);
      break;
    }
  }
  std::_Exit(0);  // ends without destructors, because a plug-in's may fail
} catch (const UsageError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

}  // namespace upcast
