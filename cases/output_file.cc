#include "cases/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "impl/core/error.h"

namespace upcast {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // symbolic links that are followed; Linux has the same limit

/// Throws an error with the reason in errno, for a file that cannot be written.
[[noreturn]] void cannot_write(const std::string& path) {
  const int why = errno;
  if (why == EPIPE) throw std::system_error(why, std::generic_category(), path);
  throw UsageError(fmt::format(
      "{}: cannot be written ({}); name a file in an existing, writable folder with room", path,
      std::strerror(why)));
}

/// The file or device that a path leads to, after all links.
struct Place {
  std::string path;                 // without links
  std::optional<int> descriptor{};  // a descriptor of this process, for a path such as /dev/stdout
  std::optional<struct stat> file{};  // what exists at `path`; nothing: no file yet

  bool is_file() const { return !descriptor && (!file || S_ISREG(file->st_mode)); }
};

/// The descriptor that a path such as /dev/fd/1 names: `folder` is this process's folder of
/// descriptors, `name` a number. Nothing for any other path.
std::optional<int> own_descriptor(const fs::path& folder, const std::string& name) {
  const bool is_number =
      !name.empty() && name.size() < 8 &&
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!is_number || folder != fmt::format("/proc/{}/fd", getpid())) return std::nullopt;
  return std::stoi(name);
}

Place place_of(const std::string& path) {
  Place place{.path = path};
  for (int links = 0; links < kMostLinks; ++links) {
    const fs::path here = place.path;
    std::error_code error;
    const fs::path folder =
        fs::canonical(here.has_parent_path() ? here.parent_path() : fs::path("."), error);
    if (error) break;  // open() will report the fault
    place.descriptor = own_descriptor(folder, here.filename().string());
    if (place.descriptor) break;
    const fs::path target = fs::read_symlink(here, error);
    if (error) break;  // no link
    place.path = (folder / target).string();
  }
  struct stat found {};
  if (stat(place.path.c_str(), &found) == 0) place.file = found;
  return place;
}

/// Writes the text and closes the file. Returns false, with errno, if some of it could not be
/// written.
bool write_and_close(int file, std::string_view text) {
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n >= 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      error = errno;
  }
  if (close(file) != 0 && error == 0) error = errno;
  errno = error;
  return error == 0;
}

/// Writes to the file, device or descriptor itself, without a new file. Returns false, with errno,
/// on failure. It flushes standard output first, so that the text comes after what was printed
/// before.
bool write_in_place(const Place& place, std::string_view text) {
  if (place.descriptor && std::fflush(nullptr) != 0) return false;
  const int file = place.descriptor
                       ? fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0)
                       : open(place.path.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  return file >= 0 && write_and_close(file, text);
}

/// A new file in the target's folder. take_place() renames it to the target. Otherwise the
/// destructor removes it.
class Replacement {
 public:
  explicit Replacement(Place place) : place_(std::move(place)) {}
  ~Replacement() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// Writes the text to the new file. Returns false, with errno, on failure.
  bool write(std::string_view text) {
    // rename() would replace a write-protected file, which must stay
    if (place_.file && access(place_.path.c_str(), W_OK) != 0) return false;
    const int file = create();
    if (file < 0) return false;
    if (place_.file) {
      [[maybe_unused]] const int owner = fchown(file, place_.file->st_uid, place_.file->st_gid);
      fchmod(file, place_.file->st_mode & 07777);
    }
    return write_and_close(file, text);
  }

  /// Renames the new file to the target. Returns false, with errno, on failure.
  bool take_place() {
    if (std::rename(path_.c_str(), place_.path.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

  const Place& place() const { return place_; }

 private:
  /// Creates the new file. Its name does not contain the target's name, which may already be as
  /// long as names can be. Returns its descriptor, or -1 with errno.
  int create() {
    for (int attempt = 0;; ++attempt) {
      std::string path = (fs::path(place_.path).parent_path() /
                          fmt::format(".upcast-{}-{}.part", getpid(), attempt))
                             .string();
      const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file < 0 && errno == EEXIST) continue;
      if (file >= 0) path_ = std::move(path);
      return file;
    }
  }

  Place place_;
  std::string path_;  // the new file's path; "": there is none to remove
};

/// Whether errno means that no new file can replace the target: its folder refuses one, or the
/// target is a mount point.
bool folder_refuses() {
  return errno == EACCES || errno == EPERM || errno == EROFS || errno == EBUSY;
}

}  // namespace

void write_output_files(const std::vector<OutputFile>& files) {
  std::deque<std::pair<const OutputFile*, Replacement>> replacements;
  for (const OutputFile& file : files) {
    Place place = place_of(file.path);
    if (place.is_file()) {
      Replacement& made = replacements.emplace_back(&file, std::move(place)).second;
      if (made.write(file.text)) continue;
      if (!made.place().file || !folder_refuses()) cannot_write(file.path);
      place = made.place();
      replacements.pop_back();
    }
    if (!write_in_place(place, file.text)) cannot_write(file.path);
  }
  for (auto& [file, made] : replacements) {
    if (made.take_place()) continue;
    if (!made.place().file || !folder_refuses() || !write_in_place(made.place(), file->text))
      cannot_write(file->path);
  }
}

void write_output_file(const std::string& path, std::string_view text) {
  write_output_files({{path, std::string(text)}});
}

bool means_a_file(const std::string& path) { return place_of(path).is_file(); }

}  // namespace upcast
