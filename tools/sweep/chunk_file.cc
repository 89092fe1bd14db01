#include "tools/sweep/chunk_file.h"

#include <cstdio>

#include "impl/core/error.h"

namespace upcast::tools {

using nlohmann::json;

ChunkFile::ChunkFile(const std::string& path, const json& header) : path_(path) {
  if (path.empty()) return;
  std::ifstream in(path);
  std::string line;
  if (std::getline(in, line)) {
    const json found = json::parse(line, nullptr, false);
    if (found != header)
      throw UsageError(path + " holds another sweep (" + line.substr(0, 120) +
                       "): name another file, or delete it");
    while (std::getline(in, line)) {
      json chunk = json::parse(line, nullptr, false);
      if (!chunk.is_discarded()) chunks_.push_back(std::move(chunk));
    }
  }
  in.close();
  rewrite(header);
}

void ChunkFile::add(const std::string& line) {
  if (path_.empty()) return;
  file_ << line << '\n' << std::flush;
  if (!file_) throw UsageError("cannot write " + path_ + ": is the disk full?");
}

/// Whole lines only, so that what follows starts on a line of its own.
void ChunkFile::rewrite(const json& header) {
  const std::string fresh = path_ + ".new";
  std::ofstream out(fresh);
  out << header.dump() << '\n';
  for (const json& chunk : chunks_) out << chunk.dump() << '\n';
  out.close();
  if (!out || std::rename(fresh.c_str(), path_.c_str()) != 0)
    throw UsageError("cannot write " + path_ + ": is the folder there, and writable?");
  file_.open(path_, std::ios::app);
}

}  // namespace upcast::tools
