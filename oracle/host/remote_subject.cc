#include "oracle/host/remote_subject.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "oracle/libtorch_name.h"

namespace upcast {
namespace {

constexpr std::string_view kLibTorch = "libtorch:";

std::string_view query_of(std::string_view subject) {
  const std::size_t at = subject.find('?');
  return at == subject.npos ? "" : subject.substr(at);
}

}  // namespace

bool need_two_processes(std::string_view subject, std::string_view oracle) {
  return subject.starts_with(kLibTorch) && oracle.starts_with(kLibTorch) &&
         query_of(subject) != query_of(oracle);
}

std::unique_ptr<Subject> make_side(const std::string& side, std::string_view beside,
                                   const WorkerSetup& setup) {
  if (!split_side_name(side).version.empty() || need_two_processes(side, beside))
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
