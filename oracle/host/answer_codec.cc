#include "oracle/host/answer_codec.h"

#include <cstring>

#include "impl/core/error.h"

namespace upcast {
namespace {

/// Appends bytes to a text. A text that is reused keeps its capacity, so that later answers
/// allocate nothing.
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

/// Reads fields from bytes that may be damaged. A field after the last byte reads as 0 or empty,
/// and sets a flag.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool read_all() const { return whole_ && bytes_.empty(); }

  template <class T>
  void value(T& value) {
    if (!has(sizeof value)) return;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
  }
  void value(bool& value) {
    std::uint8_t byte = 0;
    this->value(byte);
    value = byte != 0;
  }
  template <class Range>
  void range(Range& range) {
    constexpr std::size_t kItem = sizeof(typename Range::value_type);
    const std::uint64_t size = count(kItem);
    range.resize(size);
    if (size != 0) std::memcpy(range.data(), bytes_.data(), size * kItem);
    bytes_.remove_prefix(size * kItem);
  }
  /// Reads how many items follow. Sets the flag if fewer than `item` bytes are left for each.
  std::uint64_t count(std::size_t item) {
    std::uint64_t size = 0;
    value(size);
    whole_ = whole_ && size <= bytes_.size() / item;
    return whole_ ? size : 0;
  }

 private:
  bool has(std::size_t size) {
    whole_ = whole_ && size <= bytes_.size();
    return whole_;
  }

  std::string_view bytes_;
  bool whole_ = true;
};

/// Passes each field of an answer to a Writer or a Reader, except the results after the first.
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

/// Whether decoded fields can be an answer: enumerators that exist, and as many bytes as elements.
bool is_possible(const Answer& answer) {
  if (answer.tag > Answer::Tag::kBroken || answer.dtype > DType::kUndefined ||
      static_cast<std::size_t>(answer.rejection) >= kRejectionNames.size())
    return false;
  std::uint64_t elements = answer.without_values ? 0 : 1;
  for (const std::int64_t size : answer.sizes) {
    std::uint64_t wanted = 0;
    if (size < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(size), &wanted))
      return false;
    elements = wanted;
  }
  const auto item = static_cast<std::uint64_t>(itemsize(answer.dtype));
  return answer.tag != Answer::Tag::kTensor || answer.without_values ||
         (item != 0 && answer.bytes.size() % item == 0 && answer.bytes.size() / item == elements);
}

bool read(Reader& reader, Answer& answer, int depth = 0) {
  constexpr std::size_t kLeast = 16;  // in bytes: every encoded answer is longer
  fields(reader, answer);
  answer.further.resize(depth == 0 ? reader.count(kLeast) : 0);
  std::uint64_t further = 0;
  if (depth > 0) reader.value(further);
  bool possible = is_possible(answer) && further == 0;
  for (Answer& each : answer.further) possible = read(reader, each, depth + 1) && possible;
  return possible;
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

bool decode_answer(std::string_view bytes, Answer& answer) {
  Reader reader(bytes);
  return read(reader, answer) && reader.read_all();
}

}  // namespace upcast
