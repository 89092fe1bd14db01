#include "tools/sweep/side_process.h"

#include <fmt/format.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"

namespace upcast::tools {

/// One slot: the side fills it, this process reads it.
struct SideProcess::Shared {
  sem_t filled, emptied;
  DType dtype;
  std::size_t size;
  char error[1024];     // "" for none
  char versions[1024];  // JSON
};

namespace {

void copy_text(const std::string& text, char (&to)[1024]) {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

/// Waits a second; false where nothing came.
bool wait_a_while(sem_t& semaphore) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  while (sem_timedwait(&semaphore, &until) != 0)
    if (errno != EINTR) return false;
  return true;
}

}  // namespace

SideProcess::SideProcess(const std::function<Started()>& start,
                         std::span<const std::int64_t> chunks, std::size_t capacity)
    : mapped_(sizeof(Shared) + 64 + capacity) {
  void* memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw UsageError("no memory to share with a sweep's process");
  shared_ = new (memory) Shared();
  bytes_ = static_cast<std::byte*>(memory) + (sizeof(Shared) + 63) / 64 * 64;
  sem_init(&shared_->filled, 1, 0);
  sem_init(&shared_->emptied, 1, 1);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ < 0) throw UsageError("cannot start a sweep's process");
  if (child_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) std::_Exit(0);
  try {
    const Started started = start();
    copy_text(nlohmann::json(started.versions).dump(), shared_->versions);
    for (const std::int64_t chunk : chunks) {
      const SideAnswer answer = started.answer(chunk);
      check(answer.bytes.size() <= capacity, "a result fits the memory that is shared");
      while (!wait_a_while(shared_->emptied)) continue;
      shared_->dtype = answer.dtype;
      shared_->size = answer.bytes.size();
      std::memcpy(bytes_, answer.bytes.data(), answer.bytes.size());
      sem_post(&shared_->filled);
    }
  } catch (const std::exception& error) {
    while (!wait_a_while(shared_->emptied)) continue;
    copy_text(error.what(), shared_->error);
    sem_post(&shared_->filled);
  }
  std::_Exit(0);
}

SideProcess::~SideProcess() {
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  munmap(shared_, mapped_);
}

void SideProcess::wait_for_answer() {
  if (filled_) return;
  if (held_) sem_post(&shared_->emptied);
  held_ = false;
  while (!wait_a_while(shared_->filled)) {
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_ && !wait_a_while(shared_->filled))
      throw UsageError(fmt::format("a process of the sweep died ({})",
                                   WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "early"));
  }
  filled_ = true;
  if (shared_->error[0] != 0) throw UsageError(shared_->error);
}

SideAnswer SideProcess::next() {
  wait_for_answer();
  filled_ = false;
  held_ = true;
  return {shared_->dtype, {bytes_, shared_->size}};
}

std::map<std::string, std::string> SideProcess::versions() {
  wait_for_answer();
  return nlohmann::json::parse(shared_->versions).get<std::map<std::string, std::string>>();
}

}  // namespace upcast::tools
