#include "oracle/host/wire.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"
#include "oracle/verdict_json.h"

namespace upcast::wire {
namespace {

using nlohmann::json;

/// A block's result is some 20 kB; records of long cases make it a few MB at most.
constexpr std::uint32_t kMaxFrame = std::uint32_t{1} << 30;

[[noreturn]] void fail() {
  throw UsageError(
      "upcast-worker answers in a form that this upcast does not know: the two are of different "
      "builds; build both again");
}

std::string to_bytes(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

/// Runs a decoder; whatever json finds wrong is one UsageError.
template <class F>
auto decode(std::string_view bytes, F&& read) {
  try {
    return read(json::from_cbor(bytes));
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

std::string encode(const WorkerSetup& setup) {
  return to_bytes({setup.subject, setup.oracle, setup.grid, setup.lines, setup.known_text,
                   setup.known_name, setup.time_limit, setup.witnesses, setup.doubt});
}

WorkerSetup decode_setup(std::string_view bytes) {
  return decode(bytes, [](const json& value) {
    return WorkerSetup{value.at(0), value.at(1), value.at(2), value.at(3), value.at(4),
                       value.at(5), value.at(6), value.at(7), value.at(8)};
  });
}

std::string encode(const WorkerHello& hello) {
  return to_bytes({{"upcast", "hello"},
                   {"error", hello.error},
                   {"plan", hello.plan_digest},
                   {"versions", hello.versions}});
}

WorkerHello decode_hello(std::string_view bytes) {
  return decode(bytes, [](const json& value) {
    if (value.at("upcast") != "hello") fail();
    return WorkerHello{value.at("error"), value.at("plan"), value.at("versions")};
  });
}

std::string encode(const BlockRequest& request) {
  json dead = json::array();
  for (const DeadSide& side : request.dead) {
    dead.push_back(
        {side.case_index, static_cast<int>(side.side), side.timed_out, side.how, side.why});
  }
  return to_bytes({request.id, request.first, request.count, request.record_all, dead});
}

BlockRequest decode_request(std::string_view bytes) {
  return decode(bytes, [](const json& value) {
    BlockRequest request{value.at(0), value.at(1), value.at(2), value.at(3), {}};
    for (const json& side : value.at(4)) {
      request.dead.push_back({side.at(0), static_cast<Actor>(side.at(1).get<int>()), side.at(2),
                              side.at(3), side.at(4)});
    }
    return request;
  });
}

std::string encode(const BlockResult& result) {
  json records = json::array();
  for (const CaseRecord& record : result.records) {
    records.push_back({record.case_index, record.verdict, record.known, record.line, record.subject,
                       record.oracle, record.signature});
  }
  // An object: an array whose members are pairs could be taken for one.
  return to_bytes({{"id", result.id},
                   {"first", result.first},
                   {"count", result.count},
                   {"values", result.values_judged},
                   {"verdict", column(result.verdict)},
                   {"known", column(result.known)},
                   {"subject", column(result.subject)},
                   {"oracle", column(result.oracle)},
                   {"records", records},
                   {"matched", result.matched},
                   {"deaths", result.deaths},
                   {"doubted", result.doubted}});
}

BlockResult decode_result(std::string_view bytes) {
  return decode(bytes, [](const json& value) {
    BlockResult result;
    result.id = value.at("id");
    result.first = value.at("first");
    result.count = value.at("count");
    result.values_judged = value.at("values");
    read_column(value.at("verdict"), result.count, result.verdict);
    read_column(value.at("known"), result.count, result.known);
    read_column(value.at("subject"), result.count, result.subject);
    read_column(value.at("oracle"), result.count, result.oracle);
    for (const json& record : value.at("records")) {
      result.records.push_back({record.at(0), record.at(1), record.at(2), record.at(3),
                                record.at(4), record.at(5), record.at(6)});
    }
    result.matched = value.at("matched").get<decltype(result.matched)>();
    result.deaths = value.at("deaths");
    result.doubted = value.at("doubted");
    return result;
  });
}

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

std::optional<std::string> FrameReader::read() {
  std::string piece(std::size_t{1} << 16, '\0');
  for (;;) {
    if (auto frame = buffer_.next()) return frame;
    const ssize_t n = ::read(socket_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    buffer_.append({piece.data(), static_cast<std::size_t>(n)});
  }
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

}  // namespace upcast::wire
