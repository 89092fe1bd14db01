// Runs a side in a process of its own, whose answers come through shared memory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "impl/core/dtype.h"
#include "oracle/process/child.h"
#include "oracle/process/shared_memory.h"

namespace upcast::tools {

/// A side's answer to a chunk: the elements of its result, in logical order. The dtype kUndefined
/// means that the side refuses to divide an integer by zero.
struct SideAnswer {
  DType dtype = DType::kUndefined;
  std::span<const std::byte> bytes;
};

/// A process that answers `chunks` in order, one chunk ahead of the one that is asked for. Make it
/// before this process uses LibTorch, which does not survive a fork.
class SideProcess {
 public:
  /// The constructor's `start` is called in the new process. It returns the function that answers a
  /// chunk, and the side's versions. Both functions may throw. `capacity`: bytes of the largest
  /// result.
  using AnswerChunk = std::function<SideAnswer(std::int64_t chunk)>;
  struct Started {
    AnswerChunk answer;
    std::map<std::string, std::string> versions;
  };
  SideProcess(const std::function<Started()>& start, std::span<const std::int64_t> chunks,
              std::size_t capacity);

  /// The answer to the next chunk, valid until the next call. Throws UsageError if the side's
  /// process reports a fault or dies.
  SideAnswer next();
  /// The versions of the side. Waits for its first answer, because they come with it.
  std::map<std::string, std::string> versions();

 private:
  struct Shared;
  void run(const std::function<Started()>& start, std::span<const std::int64_t> chunks);
  void wait_for_answer();

  SharedMemory memory_;
  Shared* shared_;
  std::span<std::byte> bytes_;  // bytes of the current result
  Child child_;
  bool filled_ = false, held_ = false;
};

}  // namespace upcast::tools
