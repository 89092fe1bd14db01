#include "tools/fuzz/corpus.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;

/// Why a file cannot be an input; "" if it can, and if it was removed meanwhile.
std::string_view why_no_input(const fs::directory_entry& entry) {
  std::error_code error;
  const fs::file_status status = entry.symlink_status(error);
  if (error || status.type() == fs::file_type::not_found || fs::is_directory(status)) return "";
  if (fs::is_symlink(status)) return "a link";
  if (!fs::is_regular_file(status)) return "not a regular file";
  const std::uintmax_t size = entry.file_size(error);
  if (!error && size > kMostBytes) return "larger than 1 MiB";
  if (!error && access(entry.path().c_str(), R_OK) != 0) return "a file that cannot be read";
  return "";
}

}  // namespace

Descriptor lock_folder(const std::string& folder) {
  Descriptor held(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!held.is_open() || flock(held.get(), LOCK_EX | LOCK_NB) != 0)
    throw UsageError(fmt::format(
        "{} is in use by another campaign, or cannot be locked; wait for its end, or name another "
        "folder with --corpus",
        visible(folder)));
  return held;
}

void check_inputs(const std::string& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (const std::string_view why = why_no_input(*entry); !why.empty())
      throw UsageError(
          fmt::format("{} is {}, and not an input of a corpus: move it out of {}; a corpus holds "
                      "regular files of at most 1 MiB only",
                      visible(entry->path().string()), why, visible(folder)));
  if (error)
    throw UsageError(
        fmt::format("the corpus {} cannot be read: {}", visible(folder), error.message()));
}

}  // namespace upcast::tools
