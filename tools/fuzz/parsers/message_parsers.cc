// Parsers of messages of other processes, and of memory that they share with upcast, for fuzzing.
#include <algorithm>
#include <array>
#include <cstring>

#include "cases/notation.h"
#include "fuzz/byte_stream.h"
#include "fuzz/features.h"
#include "impl/core/error.h"
#include "oracle/host/answer_codec.h"
#include "oracle/host/journal.h"
#include "oracle/host/wire.h"
#include "oracle/plugin/answer_ring.h"
#include "oracle/plugin/dlpack_dtype.h"
#include "oracle/plugin/manifest.h"
#include "oracle/plugin/read_reply.h"
#include "oracle/protocol/answer_line.h"
#include "oracle/protocol/hello.h"
#include "tools/fuzz/parsers/parser.h"

namespace upcast::fuzz {
namespace {

/// The first line of a text, because a process sends one message a line.
std::string line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

void parse_answers(const std::string& text) {
  static const std::array<std::byte, 64> area{};
  const auto answers = protocol::read_answers(line_of(text), 1, area);
  mark_feature(30, static_cast<std::uint32_t>(answers.size()));
  for (const auto& [id, answer] : answers) to_text(answer);
}

void parse_lines(const std::string& text) {
  Lines lines;
  std::string joined;
  for (std::size_t at = 0; at < text.size(); at += 5) {
    lines.append(std::string_view(text).substr(at, 5));
    while (const auto line = lines.next()) joined += *line + '\n';
  }
  promise(text.starts_with(joined) && text.find('\n', joined.size()) == text.npos,
          "other lines than were written");
}

void parse_frames(const std::string& text) {
  wire::FrameBuffer frames;
  frames.append(text);
  std::string joined;
  while (const auto frame = frames.next()) joined += wire::FrameBuffer::encode(*frame);
  promise(text.starts_with(joined), "other frames than were written");
}

/// Decodes a message, encodes it, decodes that, and encodes it again: both encodings must be equal.
/// Throws UsageError for a text that is no message.
template <auto kDecode>
void check_message(const std::string& text) {
  const auto message = kDecode(text);
  const std::string bytes = wire::encode(message);
  promise(wire::encode(kDecode(bytes)) == bytes, "what is encoded is another message");
}

void parse_answer(const std::string& text) {
  Answer answer;
  if (!decode_answer(text, answer)) throw UsageError("no answer");
  mark_feature(31, static_cast<std::uint32_t>(answer.tag));
  to_text(answer);
  const std::string bytes = encode_answer(answer);
  Answer again;
  promise(decode_answer(bytes, again) && encode_answer(again) == bytes,
          "what is encoded is another answer");
}

/// Reads from a ring in shared memory after the other process overwrote bytes in it. The first byte
/// of the text is the number of messages in the ring. Then 3 bytes for each overwritten byte: two
/// for the place, one for the value.
void parse_ring(const std::string& text) {
  static const AnswerRing owner;
  constexpr std::size_t kPositions = 192;  // bytes of the ring's positions and flags
  static SharedMemory view(owner.fd(), kPositions + (std::size_t{1} << 20));
  std::memset(view.data(), 0, kPositions);
  AnswerRing writer(owner.fd());
  AnswerRing reader(owner.fd());
  const std::size_t count = text.empty() ? 0 : static_cast<unsigned char>(text[0]) % 8;
  for (std::size_t i = 0; i < count; ++i) writer.write(text.substr(0, 7 * i), [] {});
  const bool edited = text.size() >= 4;
  for (std::size_t i = 1; i + 3 <= text.size(); i += 3) {
    // an edit hits the positions, or one of the first 256 bytes of messages
    const auto where = static_cast<unsigned char>(text[i]) | static_cast<unsigned char>(text[i + 1])
                                                                 << 8;
    view.data()[where % (kPositions + 256)] = static_cast<std::byte>(text[i + 2]);
  }
  std::size_t read = 0;
  try {
    for (std::string_view message; read < 64 && reader.read(message); ++read)
      promise(edited || message == text.substr(0, 7 * read), "another message than was written");
  } catch (const DamagedRing&) {
    throw UsageError("a damaged ring");
  }
  promise(edited || read == count, "fewer messages than were written");
}

void parse_journal(const std::string& text) {
  static Journal journal;
  static const SharedMemory view(journal.fd(), sizeof(std::uint64_t));
  std::memset(view.data(), 0, sizeof(std::uint64_t));
  std::memcpy(view.data(), text.data(), std::min(text.size(), sizeof(std::uint64_t)));
  const JournalEntry entry = journal.read();
  promise(!name(entry.side).empty(), "an actor without a name");
  journal.enter(entry.case_index, entry.side);
  if (entry.beat) journal.beat();
  promise(journal.read() == entry, "another entry than was written");
}

/// Cases that a plug-in answers: functional, in-place, out=, one that asks for a dtype, and one
/// with two results.
const std::vector<Case>& asked_cases() {
  static const std::vector<Case> cases{
      parse_case("add.Tensor(int8[2,3], int8[3])"), parse_case("add_.Tensor(int8[2,3], int8[3])"),
      parse_case("add.out(int8[2,3], int8[3], out=int8[6])"),
      parse_case("promote_types(int8, float32)"), parse_case("frexp.Tensor(float32[4])")};
  return cases;
}

/// A tensor of a plug-in's reply, as DLPack describes it, made from bytes. Its elements always lie
/// within `memory`. Others need no test: they end the plug-in's own process, and the verdict is a
/// crash.
struct ReplyTensor {
  DLTensor tensor{};
  std::array<std::int64_t, 8> shape{};
  std::array<std::int64_t, 8> strides{};

  void read(ByteReader& bytes, std::span<std::byte> memory, bool inferred) {
    const std::uint8_t flags = bytes.next();
    tensor.dtype.code = bytes.next();
    tensor.dtype.bits = bytes.next();
    tensor.dtype.lanes = flags & 1 ? bytes.next16() : 1;
    const std::int32_t device = flags & 2 ? bytes.next() : std::int32_t{kDLCPU};  // or none
    std::memcpy(&tensor.device.device_type, &device, sizeof device);
    tensor.ndim = static_cast<std::int8_t>(bytes.next());
    std::int64_t last = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const auto wide = static_cast<std::int64_t>(bytes.next16()) << (flags & 4 ? 40 : 0);
      const auto step = static_cast<std::int64_t>(static_cast<std::int16_t>(bytes.next16()));
      shape[d] = inferred ? wide - (std::int64_t{1} << 20) : wide % 5;
      strides[d] = inferred ? step << (flags & 4 ? 40 : 0) : std::abs(step % 4);
      last += 4 * strides[d];
    }
    if (!inferred) tensor.ndim %= static_cast<int>(shape.size());
    if (inferred && tensor.ndim > static_cast<int>(shape.size()) && tensor.ndim <= 1024)
      tensor.ndim = static_cast<int>(shape.size());  // the arrays hold no more sizes and strides
    tensor.shape = flags & 8 ? nullptr : shape.data();
    tensor.strides = flags & 16 ? nullptr : strides.data();
    tensor.data = flags & 32 || inferred ? nullptr : memory.data();
    // `memory` is large enough: a tensor has at most 4^7 elements of 32 bytes, dense or with its
    // strides
    tensor.byte_offset = flags & 64 ? static_cast<std::uint64_t>(last) : 0;
  }
};

void parse_reply(const std::string& text) {
  static std::vector<std::byte> memory(std::size_t{8} << 20);
  static PluginCall call(Device::kCpu);
  static PluginCall meta_call(Device::kMeta);
  ByteReader bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  const Case& c = asked_cases()[bytes.next() % asked_cases().size()];
  const std::uint8_t flags = bytes.next();
  const bool inferred = (flags & 1) != 0;
  PluginCall& made = inferred ? meta_call : call;
  made.make(c);
  std::array<ReplyTensor, 2> tensors;
  std::array<const DLTensor*, 2> results{&tensors[0].tensor, &tensors[1].tensor};
  UpcastReply reply{};
  reply.size = sizeof reply;
  reply.status = bytes.next() % 5;
  reply.result_count = flags & 2 ? bytes.next() : static_cast<std::uint32_t>(c.op->output_count());
  reply.flags = flags & 4 ? bytes.next() : 0;
  reply.dtype = {bytes.next(), bytes.next(), 1};
  for (ReplyTensor& tensor : tensors) tensor.read(bytes, memory, inferred);
  if (flags & 8) results[1] = nullptr;
  // a plug-in may return the very tensor that it was given to write to
  if (const DLTensor* given = made.written(0); flags & 16 && given != nullptr) results[0] = given;
  reply.results = flags & 32 ? nullptr : results.data();
  std::string words;
  while (bytes.consumed() < text.size()) words += static_cast<char>(bytes.next());
  if (flags & 64) reply.text = words.c_str();
  if (flags & 128) reply.rejection = words.c_str();
  Answer answer;
  read_reply(c, made, reply, inferred, answer);
  mark_feature(32, static_cast<std::uint32_t>(answer.tag));
  // the answer that was read must survive the way to another process
  Answer again;
  const std::string sent = encode_answer(answer);
  promise(decode_answer(sent, again) && encode_answer(again) == sent,
          "an answer that cannot be sent");
}

void parse_dlpack_dtype(const std::string& text) {
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), text.data(), std::min(text.size(), bytes.size()));
  const DLDataType given{bytes[0], bytes[1], static_cast<std::uint16_t>(bytes[2] | bytes[3] << 8)};
  if (const auto dtype = from_dlpack(given)) {
    const DLDataType printed = to_dlpack(*dtype);
    promise(from_dlpack(printed) == dtype, "its DLPack dtype is another one");
  }
}

}  // namespace

std::span<const Parser> message_parsers() {
  static const std::vector<Parser> parsers{
      {"hello", [](const std::string& text) { protocol::read_hello(line_of(text), "it"); },
       R"({"proto":1,"manifest":{"name":"a","version":"1"},"versions":{"a":"1"}})"},
      {"answers", &parse_answers,
       R"({"seq":1,"answers":[{"id":0,"ok":[{"dtype":"int8","shape":[2],"hex":"0102"}]}]})"},
      {"configured", [](const std::string& text) { protocol::read_configured(line_of(text)); },
       R"({"ok":true})"},
      {"manifest", [](const std::string& text) { Manifest::parse(text); },
       R"({"name":"a","version":"1","dtypes":["float32"],"ops":["add"],"forms":["functional"]})"},
      {"lines", &parse_lines, "a\nb\n"},
      {"frames", &parse_frames, std::string(4, '\0')},
      {"worker_setup", &check_message<&wire::decode_setup>, wire::encode(WorkerSetup{})},
      {"worker_hello", &check_message<&wire::decode_hello>, wire::encode(WorkerHello{})},
      {"block_request", &check_message<&wire::decode_request>, wire::encode(BlockRequest{})},
      {"block_result", &check_message<&wire::decode_result>, wire::encode(BlockResult{})},
      {"answer", &parse_answer, encode_answer({})},
      {"answer_ring", &parse_ring, "\x03"},
      {"journal", &parse_journal, "\x09"},
      {"reply", &parse_reply, std::string("\0\0\0\0\0\0\x10\0\x08\x02\x02\0\0\0\x03\0\0\0", 18)},
      {"dlpack_dtype", &parse_dlpack_dtype, std::string("\x02\x20\x01\x00", 4)},
  };
  return parsers;
}

}  // namespace upcast::fuzz
