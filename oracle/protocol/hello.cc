#include "oracle/protocol/hello.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/limits.h"
#include "cases/text_cursor.h"
#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast::protocol {
namespace {

using nlohmann::json;

std::string shortened(std::string text) {
  return text.size() > kMaxMessage ? beginning(text) : text;
}

Chains read_chains(const std::string& text) {
  if (text.empty()) return Chains::kNone;
  if (text == "rounded") return Chains::kRounded;
  if (text == "fused") return Chains::kFused;
  throw UsageError(fmt::format("says \"chains\": '{}', but it must be rounded or fused",
                               visible(beginning(text))));
}

Hello read(const json& message) {
  if (!message.is_object() || !message.contains("proto"))
    throw UsageError("does not say hello: its first line is not a JSON object with \"proto\"");
  if (message.contains("error"))
    throw UsageError(shortened(message.at("error").get<std::string>()));
  const json& version = message.at("proto");
  if (version != kProtocolVersion)
    throw UsageError(fmt::format("speaks version {} of the protocol, this upcast version {}",
                                 beginning(version.dump()), kProtocolVersion));
  Hello hello;
  hello.manifest = Manifest::parse(message.at("manifest").dump(), Aliases::kTogether);
  hello.versions = message.value("versions", hello.versions);
  if (hello.versions.size() > kMaxVersions)
    throw UsageError(fmt::format("names {} versions, but at most {} are allowed",
                                 hello.versions.size(), kMaxVersions));
  for (const auto& [of, text] : hello.versions)
    if (of.size() + text.size() > kMaxMessage)
      throw UsageError(fmt::format("a version has at most {} characters: '{}'", kMaxMessage,
                                   beginning(of + " " + text)));
  hello.maps_memory = message.value("shm", false);
  hello.chains = read_chains(message.value("chains", ""));
  hello.batch = message.value("batch", hello.batch);
  if (hello.batch < 1 || hello.batch > kMaxBatch)
    throw UsageError(fmt::format("wants {} cases in a request, but a request has 1 to {}",
                                 hello.batch, kMaxBatch));
  return hello;
}

}  // namespace

Hello read_hello(std::string_view line, std::string_view who) {
  const json message = read_json(line);
  if (message.is_discarded())
    throw UsageError(fmt::format("{} does not speak the protocol: its first line is '{}'", who,
                                 visible(beginning(line))));
  try {
    return read(message);
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("the hello of {} is not as docs/process_protocol.md says: {}", who,
                                 error.what()));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", who, error.what()));
  }
}

}  // namespace upcast::protocol
