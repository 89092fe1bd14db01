#include "tools/history.h"

#include <algorithm>

#include "cases/notation.h"
#include "oracle/host/answer_process.h"
#include "oracle/host/versions.h"

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

VersionReply ask(const std::string& side, const WorkerSetup& setup, double time_limit) {
  AnswerProcess process(side, setup);
  VersionReply asked{.version = process.versions().at("libtorch")};
  BlockRequest only;
  only.count = 1;
  const bool announced = process.announce(only);
  const bool in_time = !announced || process.wait(time_limit);
  if (!in_time)
    asked.reply.death = "timeout";
  else if (!announced || !process.next(asked.reply.answer))
    asked.reply.death = process.end(/*kill=*/false).text();
  if (!in_time) process.end(/*kill=*/true);
  return asked;
}

}  // namespace

bool same_reply(const Reply& a, const Reply& b) {
  return a.death == b.death && (a.died() || same_answer(a.answer, b.answer));
}

std::vector<VersionReply> ask_versions(const Case& c, const std::string& side, double time_limit) {
  WorkerSetup setup;
  setup.oracle = "impl:cpu";
  setup.lines = {print_case(c)};
  std::vector<VersionReply> asked{ask("libtorch:" + side, setup, time_limit)};
  for (const std::string& version : other_versions())
    if (!version_in_range(asked.front().version, "==" + version))
      asked.push_back(ask("libtorch@" + version + ":" + side, setup, time_limit));
  std::sort(asked.begin(), asked.end(), [](const VersionReply& a, const VersionReply& b) {
    return version_in_range(a.version, "<" + b.version.substr(0, b.version.find('+')));
  });
  for (std::size_t i = 1; i < asked.size(); ++i)
    asked[i].changed = !same_reply(asked[i - 1].reply, asked[i].reply);
  return asked;
}

}  // namespace upcast::tools
