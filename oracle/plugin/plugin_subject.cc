#include "oracle/plugin/plugin_subject.h"

#include <cerrno>

#include "oracle/loaded_file.h"
#include "oracle/plugin/float_mode.h"
#include "oracle/plugin/read_reply.h"

namespace upcast {

PluginSubject::PluginSubject(const Side& side)
    : library_(side),
      is_meta_(side.device == Device::kMeta),
      call_(is_meta_ ? Device::kMeta : Device::kCpu) {}

void PluginSubject::answer(const Case& c, Answer& answer) {
  const UpcastPlugin& functions = library_.functions();
  const Manifest& manifest = library_.manifest();
  if (const std::string_view why = manifest.why_not(c); !why.empty()) return decline(why, answer);
  // Cases on devices that the manifest lacks were declined above. A plug-in that takes CUDA still
  // gets CPU tensors only.
  if (manifest.has(Device::kCuda) && uses_device(c, Device::kCuda))
    return decline("a plug-in is given tensors on the CPU", answer);
  const bool inferred = is_meta_ || (manifest.has(Device::kMeta) && uses_device(c, Device::kMeta));
  if (inferred && functions.infer == nullptr) return decline("it has no infer()", answer);
  const UpcastCall& call = call_.make(c);
  const FloatMode mode;
  const char* const why = functions.supports == nullptr ? nullptr : functions.supports(&call);
  bool rounds_otherwise = mode.restore();
  if (why != nullptr) return decline(why, answer);
  UpcastReply reply{};
  reply.size = sizeof reply;
  errno = 0;  // so that errno tells of a failed allocation in this call (serve_plugin.cc)
  (inferred ? functions.infer : functions.run)(&call, &reply);
  rounds_otherwise |= mode.restore();
  read_reply(c, call_, reply, inferred, answer);
  if (functions.release != nullptr) functions.release(&reply);
  rounds_otherwise |= mode.restore();
  const bool resized =
      answer.tag == Answer::Tag::kTensor && c.form == Form::kOut && answer.sizes != c.out.sizes;
  std::string damage = call_.damage(resized);
  if (damage.empty() && rounds_otherwise)
    damage = "it changed the rounding mode of the thread, or made it flush subnormals to zero";
  if (!damage.empty()) {
    answer.tag = Answer::Tag::kBroken;
    answer.detail = std::move(damage);
  }
}

std::map<std::string, std::string> PluginSubject::versions() const {
  return {{"plugin", library_.manifest().name()},
          {"plugin.version", library_.manifest().version()}};
}

std::vector<std::string> PluginSubject::programs() const {
  std::vector<std::string> files = Subject::programs();
  files.push_back(loaded_file(reinterpret_cast<const void*>(library_.functions().run)));
  return files;
}

}  // namespace upcast
