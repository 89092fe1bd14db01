#include "oracle/process/child.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "oracle/process/message_child.h"
#include "oracle/process/shared_memory.h"

namespace upcast {
namespace {

ChildSetup shell(const std::string& script, Talk talk = Talk::kNone) {
  return {.command = {"/bin/sh", "-c", script}, .talk = talk, .keeps_errors = true};
}

/// The state of a process as Linux names it: 'R', 'S', 'Z' for a zombie; ' ' if there is no such
/// process.
char state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, command, state;
  return file >> number >> command >> state ? state[0] : ' ';
}

bool ends_soon(pid_t pid) {
  for (int i = 0; i < 500 && state_of(pid) != ' ' && state_of(pid) != 'Z'; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return state_of(pid) == ' ' || state_of(pid) == 'Z';
}

TEST(Child, AProgramHasTheSignalsOfWritesThatWeIgnore) {
  const auto pipe = signal(SIGPIPE, SIG_IGN), large = signal(SIGXFSZ, SIG_IGN);
  EXPECT_EQ(Child(shell("kill -PIPE $$")).wait().text(), "crash(SIGPIPE)");
  EXPECT_EQ(Child(shell("kill -XFSZ $$")).wait().text(), "crash(SIGXFSZ)");
  signal(SIGPIPE, pipe);
  signal(SIGXFSZ, large);
}

TEST(Child, ItsEndIsToldOnce) {
  EXPECT_EQ(Child(shell("exit 3")).wait().text(), "crash(exit 3)");
  EXPECT_EQ(Child(shell("kill -FPE $$")).wait().text(), "crash(SIGFPE)");
  EXPECT_EQ(Child({.body = [](int) { return 4; }}).wait().text(), "crash(exit 4)");
  EXPECT_TRUE(Child(shell("true")).wait().exited_with(0));
  Child child(shell("exit 5"));
  EXPECT_EQ(child.wait().code, 5);
  EXPECT_EQ(child.ended()->code, 5);
  EXPECT_EQ(child.end(0).code, 5);
  EXPECT_FALSE(child.end(0).killed);
  EXPECT_EQ(state_of(child.pid()), ' ') << "no zombie";
}

TEST(Child, OneThatDoesNotEndIsKilled) {
  Child child(shell("exec sleep 1000"));
  EXPECT_FALSE(child.ended());
  EXPECT_FALSE(child.wait_for(0.05));
  const ExitStatus status = child.end(0.05);
  EXPECT_TRUE(status.killed);
  EXPECT_TRUE(status.from_outside());
  EXPECT_EQ(status.text(), "crash(SIGKILL)");
}

TEST(Child, SilenceIsATimeoutAndTheEndOfItsOutputIsNone) {
  LineChild silent(shell("exec sleep 1000", Talk::kStreams));
  EXPECT_FALSE(silent.hear(0.05));
  EXPECT_EQ(silent.end_after_silence().text(), "timeout");
  LineChild gone(shell("echo a; exit 3", Talk::kStreams));
  EXPECT_EQ(gone.hear(), "a");
  EXPECT_FALSE(gone.hear());
  EXPECT_FALSE(gone.is_open());
  EXPECT_EQ(gone.end_after_silence().text(), "crash(exit 3)");
}

TEST(Child, IsGoneWithItsOwner) {
  pid_t pid = 0;
  {
    Child child(shell("exec sleep 1000"));
    pid = child.pid();
    EXPECT_NE(state_of(pid), ' ');
  }
  EXPECT_EQ(state_of(pid), ' ');
}

TEST(Child, IsGoneWithItsParent) {
  const SharedMemory memory(sizeof(pid_t));
  auto* pid = reinterpret_cast<volatile pid_t*>(memory.data());
  Child parent({.body = [&](int) {
    Child child(shell("exec sleep 1000"));
    *pid = child.pid();
    return child.wait().code;
  }});
  while (*pid == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  parent.kill();
  parent.wait();
  EXPECT_TRUE(ends_soon(*pid));
}

/// A shell command that starts two processes which outlive it, one of them in a session of its own.
/// It prints their numbers.
const std::string kStartsTwo =
    "sleep 30 > /dev/null 2>&1 & echo $!; "
    "setsid sh -c 'setsid sleep 30 & echo $!' 2> /dev/null; ";

std::array<pid_t, 2> two_started(LineChild& child) {
  const pid_t first = std::stoi(child.hear().value());
  return {first, std::stoi(child.hear().value())};
}

TEST(Child, WhatAKeptOneHasStartedEndsWithIt) {
  for (const bool is_kept : {true, false}) {
    ChildSetup setup = shell(kStartsTwo + "exit 5", Talk::kStreams);
    if (is_kept) setup.interrupt = Interrupt::kOwnGroup;
    LineChild child(setup);
    const std::array<pid_t, 2> started = two_started(child);
    EXPECT_EQ(child.wait().text(), "crash(exit 5)");
    for (const pid_t pid : started) {
      if (is_kept)
        EXPECT_EQ(state_of(pid), ' ') << "neither alive nor a zombie";
      else
        EXPECT_EQ(kill(pid, SIGKILL), 0) << "the control: it goes on";
    }
  }
}

TEST(Child, AKeptOneTellsItsEndAsAnyOther) {
  const auto end_of = [](const std::string& script) {
    ChildSetup setup = shell(script);
    setup.interrupt = Interrupt::kOwnGroup;
    return Child(setup).wait().text();
  };
  LineChild itself({.command = {"/bin/sh", "-c", "echo $$"},
                    .talk = Talk::kStreams,
                    .interrupt = Interrupt::kOwnGroup});
  EXPECT_EQ(itself.hear(), std::to_string(itself.pid())) << "it is not its keeper";
  EXPECT_EQ(end_of("exit 3"), "crash(exit 3)");
  EXPECT_EQ(end_of("kill -SEGV $$"), "crash(SIGSEGV)");
  EXPECT_EQ(end_of("kill -KILL $$"), "crash(SIGKILL)");
  EXPECT_EQ(end_of("kill -TERM $$"), "crash(SIGTERM)");
}

TEST(Child, WhatAKeptOneHasStartedEndsWithItsOwner) {
  for (const bool kills_owner : {true, false}) {
    const SharedMemory memory(2 * sizeof(pid_t));
    auto* pids = reinterpret_cast<volatile pid_t*>(memory.data());
    Child owner({.body = [&](int) {
      ChildSetup setup = shell(kStartsTwo + "exec sleep 30", Talk::kStreams);
      setup.interrupt = Interrupt::kOwnGroup;
      LineChild child(setup);
      const std::array<pid_t, 2> started = two_started(child);
      for (const int i : {0, 1}) pids[i] = started[i];
      if (kills_owner) pause();
      return child.end(0).signal;
    }});
    while (pids[1] == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (kills_owner) owner.kill();
    EXPECT_EQ(owner.wait().text(), kills_owner ? "crash(SIGKILL)" : "crash(exit 9)");
    for (const int i : {0, 1}) EXPECT_TRUE(ends_soon(pids[i]));
  }
}

TEST(Child, InterruptIsIgnoredUnlessItIsShared) {
  for (const Interrupt interrupt :
       {Interrupt::kIgnored, Interrupt::kShared, Interrupt::kOwnGroup}) {
    ChildSetup setup = shell("echo ready; sleep 0.1; exit 3", Talk::kStreams);
    setup.interrupt = interrupt;
    LineChild child(setup);
    EXPECT_EQ(child.hear(), "ready");
    child.interrupt();
    EXPECT_EQ(child.wait().text(),
              interrupt == Interrupt::kIgnored ? "crash(exit 3)" : "crash(SIGINT)");
  }
}

TEST(Child, IsFedWhileItIsHeard) {
  // This line is longer than a socket and a pipe hold, so a child and a parent that only write
  // would wait for each other.
  const std::string line(std::size_t{8} << 20, 'x');
  LineChild child(shell("cat", Talk::kStreams));
  child.send(line);
  child.send("");
  child.send("last");
  EXPECT_EQ(child.hear(), line);
  EXPECT_EQ(child.hear(), "");
  EXPECT_EQ(child.hear(), "last");
  EXPECT_TRUE(child.end(10).exited_with(0)) << "its input was closed";
}

TEST(Child, OneThatIsGoneMayBeFed) {
  LineChild child(shell("exec <&- ; exit 3", Talk::kStreams));
  for (int i = 0; i < 100; ++i) child.send(std::string(100'000, 'x'));
  EXPECT_FALSE(child.hear());
  EXPECT_EQ(child.end_after_silence().text(), "crash(exit 3)");
}

TEST(Child, TheWaitingThreadIsCalled) {
  int calls = 0;
  LineChild child(shell("sleep 0.35; echo a", Talk::kStreams));
  EXPECT_EQ(child.hear(kNoLimit, [&] { ++calls; }), "a");
  EXPECT_GE(calls, 3);
}

TEST(Child, ALineIsNotEndless) {
  LineChild child(shell("exec cat /dev/zero", Talk::kStreams));
  EXPECT_THROW(child.hear(), UsageError);
}

TEST(Child, WhatItSaidLast) {
  Child child(shell("printf '1\\n2\\n \\n3 \\n' >&2"));
  child.wait();
  EXPECT_EQ(child.last_words(1), "3");
  EXPECT_EQ(child.last_words(2), "2 | 3");
  EXPECT_EQ(child.last_words(9), "1 | 2 | 3");
  Child much(shell("i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i + 1)); done"));
  while (!much.wait_for(0.01)) EXPECT_LT(much.last_words(1).size(), 11U);
  EXPECT_EQ(much.last_words(1), "line 19999");
}

TEST(Child, FilesEnvironmentAndDescriptors) {
  const TemporaryFolder folder;
  std::ofstream(folder / "in") << "input ";
  setenv("UPCAST_TEST_CHILD", "gone", 1);
  const Descriptor kept = memory_file("kept "), other = memory_file("not kept");
  const std::string fds = "/proc/self/fd/" + std::to_string(kept.get());
  const ChildSetup setup{
      .command = {"/bin/sh", "-c",
                  "cat; cat " + fds + "; echo \"$A ${UPCAST_TEST_CHILD-none}\" >&2; test -e " +
                      "/proc/self/fd/" + std::to_string(other.get())},
      .environment = {{"A", "variable"}, {"UPCAST_TEST_CHILD", ""}},
      .descriptors = {kept.get()},
      .input = folder / "in",
      .output = folder / "out",
      .errors = folder / "out"};
  EXPECT_EQ(Child(setup).wait().code, 1) << "a descriptor that is not named";
  std::ifstream file(folder / "out");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "input kept variable none\n");
  EXPECT_THROW(Child({.command = {"/bin/true"}, .input = folder / "nothing"}), UsageError);
}

TEST(Child, AProgramThatIsNotThereSaysSo) {
  Child child({.command = {"/nowhere/program"}, .keeps_errors = true});
  EXPECT_EQ(child.wait().text(), "crash(exit 127)");
  EXPECT_EQ(child.last_words(1), "cannot start /nowhere/program: No such file or directory");
}

TEST(Child, AUsageErrorOfABodyIsItsExitCode) {
  Child child({.body = [](int) -> int { throw UsageError("no such side"); }, .keeps_errors = true});
  EXPECT_EQ(child.wait().code, 2);
}

TEST(Child, SeveralAreWaitedForAtOnce) {
  LineChild slow(shell("exec sleep 1000", Talk::kStreams)), quick(shell("echo a", Talk::kStreams));
  while (quick.is_open()) wait_for_any(std::vector<Child*>{&slow, &quick}, 10);
  EXPECT_EQ(quick.next(), "a");
  EXPECT_FALSE(slow.next());
  EXPECT_TRUE(slow.is_open());
}

}  // namespace
}  // namespace upcast
