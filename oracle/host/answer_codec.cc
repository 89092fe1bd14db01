#include "oracle/host/answer_codec.h"

#include <cstring>

#include "impl/core/error.h"

namespace upcast {
namespace {

/// How many bytes a Writer writes.
class Measure {
 public:
  template <class T>
  void value(T value) {
    size_ += sizeof value;
  }
  template <class Range>
  void range(const Range& range) {
    size_ += sizeof(std::uint64_t) + range.size() * sizeof(typename Range::value_type);
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

/// Into bytes that are there: an answer is written for each case, and grows no string.
class Writer {
 public:
  explicit Writer(char* at) : at_(at) {}

  template <class T>
  void value(T value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  template <class Range>
  void range(const Range& range) {
    value(static_cast<std::uint64_t>(range.size()));
    const std::size_t size = range.size() * sizeof(typename Range::value_type);
    if (size != 0) std::memcpy(at_, range.data(), size);
    at_ += size;
  }

 private:
  char* at_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T value() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class Range>
  void range(Range& range) {
    range.resize(value<std::uint64_t>());
    copy(range.data(), range.size() * sizeof(typename Range::value_type));
  }

 private:
  void copy(void* to, std::size_t size) {
    check(size <= bytes_.size(), "an answer arrives whole");
    if (size != 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

template <class To>
void write(const Answer& answer, To& writer) {
  writer.value(answer.tag);
  writer.value(answer.dtype);
  writer.range(answer.sizes);
  writer.range(answer.strides);
  writer.range(answer.bytes);
  writer.range(answer.leeway);
  writer.value(answer.without_values);
  writer.value(answer.without_strides);
  writer.value(answer.rejection);
  writer.range(answer.detail);
  writer.value(static_cast<std::uint64_t>(answer.further.size()));
  for (const Answer& further : answer.further) write(further, writer);
}

void read(Reader& reader, Answer& answer) {
  answer.tag = reader.value<Answer::Tag>();
  answer.dtype = reader.value<DType>();
  reader.range(answer.sizes);
  reader.range(answer.strides);
  reader.range(answer.bytes);
  reader.range(answer.leeway);
  answer.without_values = reader.value<bool>();
  answer.without_strides = reader.value<bool>();
  answer.rejection = reader.value<RejectionCode>();
  reader.range(answer.detail);
  answer.further.resize(reader.value<std::uint64_t>());
  for (Answer& further : answer.further) read(reader, further);
}

}  // namespace

void encode_answer(const Answer& answer, std::string& bytes) {
  Measure measure;
  write(answer, measure);
  bytes.resize(measure.size());
  Writer writer(bytes.data());
  write(answer, writer);
}

std::string encode_answer(const Answer& answer) {
  std::string bytes;
  encode_answer(answer, bytes);
  return bytes;
}

void decode_answer(std::string_view bytes, Answer& answer) {
  Reader reader(bytes);
  read(reader, answer);
}

}  // namespace upcast
