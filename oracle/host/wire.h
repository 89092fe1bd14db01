// The format in which supervisor and worker talk: frames, each a 32-bit little-endian length and a
// message in CBOR.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/host/block.h"
#include "oracle/process/message_child.h"

namespace upcast::wire {

std::string encode(const WorkerSetup& setup);
std::string encode(const WorkerHello& hello);
std::string encode(const BlockRequest& request);
std::string encode(const BlockResult& result);

/// Decodes a message. Throws UsageError for other bytes: the worker is of another build, or
/// something else wrote to its pipe.
WorkerSetup decode_setup(std::string_view bytes);
WorkerHello decode_hello(std::string_view bytes);
BlockRequest decode_request(std::string_view bytes);
BlockResult decode_result(std::string_view bytes);

/// Writes a whole frame to a socket. Returns false if the other end is closed.
bool write_frame(int socket, std::string_view body);

/// Gathers frames from a stream that arrives in pieces.
class FrameBuffer {
 public:
  static std::string encode(std::string_view body);
  void append(std::string_view bytes) { bytes_ += bytes; }
  /// The next whole frame, if it has arrived. Throws UsageError for a length that no frame has.
  std::optional<std::string> next();

 private:
  std::string bytes_;
};

/// A child process that exchanges frames with this one.
using FrameChild = MessageChild<FrameBuffer>;

/// Reads frames in the worker, from its supervisor.
using FrameReader = MessageReader<FrameBuffer>;

}  // namespace upcast::wire
