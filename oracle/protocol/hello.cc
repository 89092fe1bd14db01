#include "oracle/protocol/hello.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast::protocol {
namespace {

using nlohmann::json;

Hello read(const json& message) {
  if (!message.is_object() || !message.contains("proto"))
    throw UsageError("does not say hello: its first line is no JSON object with \"proto\"");
  if (message.contains("error")) throw UsageError(visible(message.at("error").get<std::string>()));
  const json& version = message.at("proto");
  if (version != kProtocolVersion)
    throw UsageError(fmt::format("speaks version {} of the protocol, this upcast version {}",
                                 version.dump(), kProtocolVersion));
  Hello hello;
  hello.manifest = Manifest::parse(message.at("manifest").dump(), Aliases::kTogether);
  hello.versions = message.value("versions", hello.versions);
  hello.maps_memory = message.value("shm", false);
  return hello;
}

}  // namespace

Hello read_hello(std::string_view line, std::string_view who) {
  try {
    return read(json::parse(line));
  } catch (const json::parse_error&) {
    throw UsageError(fmt::format("{} does not speak the protocol: its first line is '{}'", who,
                                 line.substr(0, 80)));
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("{} says hello in another form than docs/process_protocol.md: {}",
                                 who, error.what()));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", who, error.what()));
  }
}

}  // namespace upcast::protocol
