// One writer at a time for a file that is kept between runs.
#pragma once

#include <string>

namespace upcast {

/// Holds a file for one writer until destroyed. Creates the file if it is missing. A second process
/// that wants the lock gets a UsageError. The lock ends with the process. It is lost if the file is
/// replaced by another one.
class WriterLock {
 public:
  explicit WriterLock(const std::string& path);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace upcast
