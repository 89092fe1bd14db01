#include "fuzz/tuple_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "impl/core/error.h"

namespace upcast::fuzz {

TupleMap::TupleMap(const std::string& path) {
  if (path.empty()) return;
  const std::size_t size = space_.tuples();
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  struct stat about {};
  const bool usable = file >= 0 && fstat(file, &about) == 0 &&
                      (about.st_size == 0 || about.st_size == static_cast<off_t>(size)) &&
                      ftruncate(file, static_cast<off_t>(size)) == 0;
  void* memory =
      usable ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (file >= 0) close(file);
  if (memory == MAP_FAILED)
    throw UsageError(path + " cannot be used for the campaign's coverage; delete it");
  bytes_ = static_cast<std::uint8_t*>(memory);
}

TupleMap::~TupleMap() {
  if (bytes_ != nullptr) munmap(bytes_, space_.tuples());
}

void TupleMap::mark(const Case& c, const Answer& subject) {
  if (bytes_ == nullptr) return;
  const std::uint8_t marks = subject.tag == Answer::Tag::kRefusal ? kAsked : kAsked | kAnswered;
  const FactorValues values = factor_values(c);
  for (const Combination& combination : space_.combinations()) {
    const std::int64_t number = space_.number_of(combination, values);
    if (number < 0) continue;
    std::atomic_ref<std::uint8_t> byte(bytes_[number]);
    if ((byte.load(std::memory_order_relaxed) & marks) != marks)
      byte.fetch_or(marks, std::memory_order_relaxed);
  }
}

std::vector<std::uint8_t> read_tuple_map(const std::string& path, const TupleSpace& space) {
  std::vector<std::uint8_t> bytes(space.tuples());
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

}  // namespace upcast::fuzz
