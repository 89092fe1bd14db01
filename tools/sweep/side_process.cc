#include "tools/sweep/side_process.h"

#include <semaphore.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"

namespace upcast::tools {

/// The beginning of the memory that both processes share. It describes one answer, which the side's
/// process writes and this process reads. The answer's bytes follow at kHead.
struct SideProcess::Shared {
  Shared() {
    sem_init(&filled, 1, 0);
    sem_init(&emptied, 1, 1);
  }

  sem_t filled, emptied;
  DType dtype;
  std::size_t size;
  char error[1024];     // the side's fault; "": none
  char versions[1024];  // the side's versions, as JSON
};

namespace {

constexpr std::size_t kHead = 4096;  // bytes for Shared; the result's bytes follow

void copy_text(const std::string& text, char (&to)[1024]) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

/// Waits for a semaphore, one second at most. Returns false if it was not posted.
bool wait_a_while(sem_t& semaphore) {
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  ++until.tv_sec;
  while (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) != 0)
    if (errno != EINTR) return false;
  return true;
}

}  // namespace

SideProcess::SideProcess(const std::function<Started()>& start,
                         std::span<const std::int64_t> chunks, std::size_t capacity)
    : memory_(kHead + capacity),
      shared_(new (memory_.data()) Shared()),
      bytes_(memory_.data() + kHead, capacity),
      child_({.body = [&](int) { return run(start, chunks), 0; }}) {}

void SideProcess::run(const std::function<Started()>& start,
                      std::span<const std::int64_t> chunks) try {
  static_assert(sizeof(Shared) <= kHead);
  const Started started = start();
  copy_text(nlohmann::json(started.versions).dump(), shared_->versions);
  for (const std::int64_t chunk : chunks) {
    const SideAnswer answer = started.answer(chunk);
    check(answer.bytes.size() <= bytes_.size(), "a result fits the memory that is shared");
    while (!wait_a_while(shared_->emptied)) continue;
    shared_->dtype = answer.dtype;
    shared_->size = answer.bytes.size();
    std::memcpy(bytes_.data(), answer.bytes.data(), answer.bytes.size());
    sem_post(&shared_->filled);
  }
  std::_Exit(0);  // skips LibTorch's destructors, which take long
} catch (const std::exception& error) {
  while (!wait_a_while(shared_->emptied)) continue;
  copy_text(error.what(), shared_->error);
  sem_post(&shared_->filled);
}

void SideProcess::wait_for_answer() {
  if (filled_) return;
  if (held_) sem_post(&shared_->emptied);
  held_ = false;
  while (!wait_a_while(shared_->filled))
    if (const auto status = child_.ended(); status && !wait_a_while(shared_->filled))
      throw UsageError("a process of the sweep died: " + status->text());
  filled_ = true;
  if (shared_->error[0] != 0) throw UsageError(shared_->error);
}

SideAnswer SideProcess::next() {
  wait_for_answer();
  filled_ = false;
  held_ = true;
  return {shared_->dtype, bytes_.first(shared_->size)};
}

std::map<std::string, std::string> SideProcess::versions() {
  wait_for_answer();
  return nlohmann::json::parse(shared_->versions).get<std::map<std::string, std::string>>();
}

}  // namespace upcast::tools
