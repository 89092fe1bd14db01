#include "oracle/host/answer_codec.h"

#include <cstring>

#include "impl/core/error.h"

namespace upcast {
namespace {

/// Behind what a text holds; one that is reused has grown once.
class Writer {
 public:
  explicit Writer(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void value(const T& value) {
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
  void value(T& value) {
    copy(&value, sizeof value);
  }
  template <class Range>
  void range(Range& range) {
    std::uint64_t size = 0;
    value(size);
    range.resize(size);
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

/// The fields of an answer but those behind the first result, for a Writer and for a Reader.
template <class Io, class AnswerOrConst>
void fields(Io& io, AnswerOrConst& answer) {
  io.value(answer.tag);
  io.value(answer.dtype);
  io.range(answer.sizes);
  io.range(answer.strides);
  io.range(answer.bytes);
  io.range(answer.leeway);
  io.value(answer.without_values);
  io.value(answer.without_strides);
  io.value(answer.rejection);
  io.range(answer.detail);
}

void write(const Answer& answer, Writer& writer) {
  fields(writer, answer);
  writer.value(static_cast<std::uint64_t>(answer.further.size()));
  for (const Answer& further : answer.further) write(further, writer);
}

void read(Reader& reader, Answer& answer) {
  fields(reader, answer);
  std::uint64_t further = 0;
  reader.value(further);
  answer.further.resize(further);
  for (Answer& each : answer.further) read(reader, each);
}

}  // namespace

void encode_answer(const Answer& answer, std::string& bytes) {
  bytes.clear();
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
