// Turns the reply of a plug-in into an Answer.
#pragma once

#include "oracle/answer.h"
#include "oracle/plugin/plugin_call.h"

namespace upcast {

/// Reads a reply without trust. Checks status, number of results, dtype, device, shape, size and
/// place of the results against the case and its call. If something is wrong, the answer is
/// kBroken, and its detail says why. Sets every field of `answer` that its tag uses. The tensors of
/// an inferred reply have no data.
void read_reply(const Case& c, const PluginCall& call, const UpcastReply& reply, bool inferred,
                Answer& answer);

}  // namespace upcast
