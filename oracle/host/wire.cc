#include "oracle/host/wire.h"

#include <sys/socket.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"
#include "oracle/verdict_json.h"

namespace upcast {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkerSetup, subject, oracle, grid, lines, known_text,
                                   known_name, time_limit, witnesses, doubt, selection)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkerHello, error, plan_digest, versions, claim, programs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeadSide, case_index, side, timed_out, how, why)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BlockRequest, id, first, count, record_all, dead)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CaseRecord, case_index, verdict, known, line, subject, oracle,
                                   signature)

namespace wire {
namespace {

using nlohmann::json;

/// The largest frame that is accepted, in bytes. A block's result has some 20 kB, or a few MB if it
/// holds records of long cases.
constexpr std::uint32_t kMaxFrame = std::uint32_t{1} << 30;

[[noreturn]] void fail() {
  throw UsageError("upcast-worker is of another build than upcast; build both again");
}

std::string to_bytes(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

/// Reads a message. Any fault that json finds becomes a UsageError.
template <class Message>
Message decode(std::string_view bytes) {
  try {
    return json::from_cbor(bytes).get<Message>();
  } catch (const json::exception&) {
    fail();
  }
}

template <class Byte>
json column(const std::vector<Byte>& bytes) {
  static_assert(sizeof(Byte) == 1);
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return json::binary({first, first + bytes.size()});
}

template <class Byte>
void read_column(const json& value, std::int64_t count, std::vector<Byte>& column) {
  const std::vector<std::uint8_t>& bytes = value.get_binary();
  if (std::ssize(bytes) != count) fail();
  const auto* first = reinterpret_cast<const Byte*>(bytes.data());
  column.assign(first, first + count);
}

}  // namespace
}  // namespace wire

// The json library's macro cannot generate these two functions: columns are written as bytes, and
// their lengths must be equal when they are read.
void to_json(nlohmann::json& json, const BlockResult& result) {
  json = {{"id", result.id},
          {"first", result.first},
          {"count", result.count},
          {"values", result.values_judged},
          {"verdict", wire::column(result.verdict)},
          {"known", wire::column(result.known)},
          {"subject", wire::column(result.subject)},
          {"oracle", wire::column(result.oracle)},
          {"ruling", wire::column(result.ruling)},
          {"records", result.records},
          {"matched", result.matched},
          {"deaths", result.deaths},
          {"doubted", result.doubted}};
}

void from_json(const nlohmann::json& json, BlockResult& result) {
  json.at("id").get_to(result.id);
  json.at("first").get_to(result.first);
  json.at("count").get_to(result.count);
  json.at("values").get_to(result.values_judged);
  wire::read_column(json.at("verdict"), result.count, result.verdict);
  wire::read_column(json.at("known"), result.count, result.known);
  wire::read_column(json.at("subject"), result.count, result.subject);
  wire::read_column(json.at("oracle"), result.count, result.oracle);
  if (const auto& ruling = json.at("ruling"); !ruling.get_binary().empty())
    wire::read_column(ruling, result.count, result.ruling);
  json.at("records").get_to(result.records);
  json.at("matched").get_to(result.matched);
  json.at("deaths").get_to(result.deaths);
  json.at("doubted").get_to(result.doubted);
}

namespace wire {

std::string encode(const WorkerSetup& setup) { return to_bytes(setup); }
std::string encode(const WorkerHello& hello) { return to_bytes(hello); }
std::string encode(const BlockRequest& request) { return to_bytes(request); }
std::string encode(const BlockResult& result) { return to_bytes(result); }

WorkerSetup decode_setup(std::string_view bytes) { return decode<WorkerSetup>(bytes); }
WorkerHello decode_hello(std::string_view bytes) { return decode<WorkerHello>(bytes); }
BlockRequest decode_request(std::string_view bytes) { return decode<BlockRequest>(bytes); }
BlockResult decode_result(std::string_view bytes) { return decode<BlockResult>(bytes); }

std::string FrameBuffer::encode(std::string_view body) {
  check(body.size() < kMaxFrame, "a frame is not that long");
  const auto size = static_cast<std::uint32_t>(body.size());
  std::string frame;
  frame.reserve(body.size() + 4);
  for (int shift = 0; shift < 32; shift += 8) frame += static_cast<char>(size >> shift & 0xff);
  return frame += body;
}

bool write_frame(int socket, std::string_view body) {
  const std::string frame = FrameBuffer::encode(body);
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t n = send(socket, frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<std::string> FrameBuffer::next() {
  if (bytes_.size() < 4) return std::nullopt;
  std::uint32_t size = 0;
  for (int i = 3; i >= 0; --i) size = size << 8 | static_cast<std::uint8_t>(bytes_[i]);
  if (size >= kMaxFrame) fail();
  if (bytes_.size() < std::size_t{4} + size) return std::nullopt;
  std::string body = bytes_.substr(4, size);
  bytes_.erase(0, std::size_t{4} + size);
  return body;
}

}  // namespace wire
}  // namespace upcast
