#include "tools/history.h"

#include <algorithm>
#include <cstdlib>

#include "cases/notation.h"
#include "oracle/host/answer_process.h"
#include "oracle/protocol/python_subject.h"
#include "oracle/version_range.h"

namespace upcast::tools {
namespace {

bool same_tensor(const Answer& a, const Answer& b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides && a.bytes == b.bytes;
}

bool same_answer(const Answer& a, const Answer& b) {
  if (a.tag != b.tag) return false;
  switch (a.tag) {
    case Answer::Tag::kTensor:
      return same_tensor(a, b) && std::equal(a.further.begin(), a.further.end(), b.further.begin(),
                                             b.further.end(), same_tensor);
    case Answer::Tag::kDType:
      return a.dtype == b.dtype;
    case Answer::Tag::kRefusal:
      return true;
    case Answer::Tag::kNotJudged:
    case Answer::Tag::kBroken:
      return a.detail == b.detail;
  }
  return false;
}

VersionReply ask(const Side& side, const WorkerSetup& setup, double time_limit) {
  AnswerProcess process(side, setup);
  VersionReply asked{.version = process.versions().at("libtorch"), .side = side};
  BlockRequest only;
  only.count = 1;
  process.announce(only);
  if (!process.next(asked.reply.answer, time_limit)) asked.reply.death = process.end().text();
  return asked;
}

VersionReply ask_python(const std::string& version, const Case& c, double time_limit) {
  VersionReply asked{.version = version, .side = parse_side("python:torch==" + version)};
  const auto subject = protocol::make_python_subject(asked.side);
  subject->watched_by({.time_limit = time_limit, .alive = {}});
  try {
    subject->answer(c, asked.reply.answer);
  } catch (const SideDied& death) {
    asked.reply.death = death.how;
  }
  return asked;
}

/// Asks the PyTorch versions that have an environment of Python, and adds their replies. They are
/// asked on the CPU only, with the CPU capability that `side` names, and not at all for avx2.
void ask_pythons(const Case& c, const Side& side, double time_limit,
                 std::vector<VersionReply>& asked) {
  if (side.device != Device::kCpu || side.capability == "avx2") return;
  if (side.capability == "default")
    setenv("ATEN_CPU_CAPABILITY", "default", 1);  // torch reads the variable when it is imported
  const std::size_t linked = asked.size();
  for (const std::string& version : protocol::framework_versions("torch"))
    if (std::none_of(
            asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(linked),
            [&](const VersionReply& of) { return version_in_range(of.version, "==" + version); }))
      asked.push_back(ask_python(version, c, time_limit));
}

}  // namespace

bool same_reply(const Reply& a, const Reply& b) {
  return a.death == b.death && (a.died() || same_answer(a.answer, b.answer));
}

std::vector<VersionReply> ask_versions(const Case& c, Side side, double time_limit) {
  WorkerSetup setup;
  setup.oracle = "impl:cpu";
  setup.lines = {print_case(c)};
  std::vector<VersionReply> asked{ask(side, setup, time_limit)};
  for (const std::string& version : other_versions()) {
    side.version = version;
    if (!version_in_range(asked.front().version, "==" + version))
      asked.push_back(ask(side, setup, time_limit));
  }
  ask_pythons(c, side, time_limit, asked);
  std::sort(asked.begin(), asked.end(), [](const VersionReply& a, const VersionReply& b) {
    return version_in_range(a.version, "<" + b.version.substr(0, b.version.find('+')));
  });
  for (std::size_t i = 1; i < asked.size(); ++i)
    asked[i].changed = !same_reply(asked[i - 1].reply, asked[i].reply);
  return asked;
}

}  // namespace upcast::tools
