// A Subject in a process of its own: two configurations of LibTorch cannot share one.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "oracle/host/block.h"
#include "oracle/host/wire.h"
#include "oracle/subject.h"

namespace upcast {

/// Whether two subjects need a process each.
bool need_two_processes(std::string_view subject, std::string_view oracle);

/// Answers a plan's cases from a child process, which runs ahead: it starts on a block as soon as
/// expect() names it. Where the child dies, this process dies the same way, with the case that was
/// asked for in the journal.
class RemoteSubject : public Subject {
 public:
  /// Starts the child, which is this very program with `--answers`. Throws UsageError where it
  /// cannot, or where the child does not know the subject.
  explicit RemoteSubject(WorkerSetup setup);
  ~RemoteSubject() override;
  RemoteSubject(const RemoteSubject&) = delete;
  RemoteSubject& operator=(const RemoteSubject&) = delete;

  void expect(const Plan& plan, std::int64_t first, std::int64_t count,
              std::span<const std::int64_t> skipped) override;
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override { return versions_; }

 private:
  [[noreturn]] void die_with_child();

  pid_t child_ = -1;
  int socket_ = -1;
  wire::FrameReader frames_;
  std::map<std::string, std::string> versions_;
};

/// The child's main loop: announced blocks in, answers out, until the socket closes.
void serve_answers(int socket, const WorkerSetup& setup);

}  // namespace upcast
