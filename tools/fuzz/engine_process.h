// One engine of a campaign as a child process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace upcast::tools {

/// Started on construction, ended on destruction.
class EngineProcess {
 public:
  /// Its output goes to a file. `environment`: variables that are set besides.
  EngineProcess(std::vector<std::string> arguments, const std::string& output,
                const std::vector<std::pair<std::string, std::string>>& environment);
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  /// Its wait status once it has ended.
  std::optional<int> ended();
  /// Waits for the end.
  int wait();
  /// The same, for so many seconds at most: nothing where it goes on.
  std::optional<int> wait_for(double seconds);
  /// Asks it to end (SIGINT: libFuzzer prints its statistics).
  void interrupt() const;
  /// Ends it (SIGKILL).
  void kill() const;
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

/// The last number behind `word` in a file: "ft:" of libFuzzer's output. 0 where there is none.
std::int64_t last_number_behind(const std::string& file, const std::string& word);

}  // namespace upcast::tools
