#include "tools/fuzz/exchange.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

/// Whether an engine wrote the file: it names an input after the SHA-1 of its content. Other files,
/// such as committed seeds, are in every corpus and need no exchange.
bool is_engines_name(const std::string& name) {
  constexpr std::size_t kDigits = 40;
  return name.size() == kDigits && name.find_first_not_of("0123456789abcdef") == name.npos;
}

/// The names of engines' inputs in a folder. A file may vanish meanwhile, because an engine
/// replaces inputs by smaller ones.
std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (const std::string name = entry->path().filename().string(); is_engines_name(name))
      names.insert(name);
  return names;
}

/// Host and process id, for names of drafts: processes of several machines may write the same input
/// at once.
std::string own_suffix() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return fmt::format(".{}.{}", host, getpid());
}

/// Copies a file so that it appears whole, by way of the file `draft`. Returns false if `from` has
/// vanished. Throws UsageError if it cannot be written.
bool copy_whole(const fs::path& from, const std::string& draft, const fs::path& to) {
  std::error_code error;
  if (fs::copy_file(from, draft, fs::copy_options::overwrite_existing, error))
    fs::rename(draft, to, error);
  if (!error) return true;
  std::error_code ignored;
  fs::remove(draft, ignored);
  if (!fs::exists(from, ignored)) return false;
  throw UsageError(fmt::format("{} cannot be written ({})", visible(to.string()), error.message()));
}

}  // namespace

Exchange::Exchange(const std::string& folder) : folder_(folder) {
  if (folder.empty()) return;
  for (const std::string& each : folders()) {
    std::error_code error;
    fs::create_directories(each, error);
    if (!fs::is_directory(each, error))
      throw UsageError(visible(each) + " is not a folder, and cannot be created");
  }
}

std::vector<std::string> Exchange::folders() const { return {inputs(), folder_ + "/pruned"}; }

std::set<std::string> Exchange::list() const { return names_in(inputs()); }

void Exchange::give(const fs::path& input, const std::string& name) const {
  copy_whole(input, inputs() + "/." + name + own_suffix(), inputs() + "/" + name);
}

void Exchange::step(const std::vector<std::string>& jobs, const std::string& desk) {
  for (const std::string& job : jobs)
    for (const std::string& name : names_in(job)) {
      if (!seen_.insert(name).second) continue;
      const fs::path input = fs::path(job) / name;
      if (!folder_.empty()) give(input, name);
      for (const std::string& other : jobs)
        if (const fs::path copy = fs::path(other) / name; !fs::exists(copy))
          copy_whole(input, desk + "/incoming", copy);
    }
  if (folder_.empty()) return;
  for (const std::string& name : list()) {
    if (!seen_.insert(name).second) continue;
    for (const std::string& job : jobs)
      copy_whole(fs::path(inputs()) / name, desk + "/incoming", fs::path(job) / name);
  }
}

std::size_t Exchange::prune(const std::set<std::string>& listed, const std::string& merged) const {
  const std::set<std::string> kept = names_in(merged);
  std::size_t moved = 0;
  for (const std::string& name : listed) {
    if (kept.contains(name)) continue;
    std::error_code gone;  // an error if another campaign has moved the file
    fs::rename(inputs() + "/" + name, folder_ + "/pruned/" + name, gone);
    moved += !gone;
  }
  return moved;
}

}  // namespace upcast::tools
