#include "oracle/host/remote_subject.h"

#include <unistd.h>

#include <csignal>

namespace upcast {

bool need_two_processes(const Side& subject, const Side& oracle) {
  const auto is_linked = [](const Side& side) {
    return side.is_libtorch() && side.version.empty();
  };
  return is_linked(subject) && is_linked(oracle) && subject.capability != oracle.capability;
}

std::unique_ptr<Subject> make_side(const Side& side, const Side& other, const WorkerSetup& setup) {
  const bool is_of_version = side.is_libtorch() && !side.version.empty();
  if (is_of_version || need_two_processes(side, other))
    return std::make_unique<RemoteSubject>(side, setup);
  return make_subject(side);
}

void RemoteSubject::expect(const Plan&, std::int64_t first, std::int64_t count,
                           std::span<const std::int64_t> skipped) {
  BlockRequest request;
  request.first = first;
  request.count = count;
  for (const std::int64_t index : skipped) request.dead.emplace_back().case_index = index;
  process_.announce(request);
}

void RemoteSubject::answer(const Case&, Answer& answer) {
  if (!process_.next(answer)) die_with_child();
}

void RemoteSubject::die_with_child() {
  const ExitStatus status = process_.end();
  if (status.signal != 0) raise(status.signal);
  _exit(status.code);
}

}  // namespace upcast
