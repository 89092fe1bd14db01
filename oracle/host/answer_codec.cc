#include "oracle/host/answer_codec.h"

#include <cstring>

#include "impl/core/error.h"

namespace upcast {
namespace {

class Writer {
 public:
  explicit Writer(std::string& bytes) : bytes_(bytes) { bytes_.clear(); }

  template <class T>
  void value(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class Range>
  void range(const Range& range) {
    value(static_cast<std::uint64_t>(range.size()));
    bytes_.append(reinterpret_cast<const char*>(range.data()),
                  range.size() * sizeof(typename Range::value_type));
  }

 private:
  std::string& bytes_;
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

void write(const Answer& answer, Writer& writer) {
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
  Writer writer(bytes);
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
