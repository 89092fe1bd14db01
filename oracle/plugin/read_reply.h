// Makes an Answer of a plug-in's reply.
#pragma once

#include "oracle/answer.h"
#include "oracle/plugin/plugin_call.h"

namespace upcast {

/// Trusts nothing: checks status, number of results, dtype, device, shape, size and place of the
/// results against the case and its call. Sets every field of `answer` that its tag names: kBroken,
/// with a text, if something is wrong. The tensors of an inferred reply have no data.
void read_reply(const Case& c, const PluginCall& call, const UpcastReply& reply, bool inferred,
                Answer& answer);

}  // namespace upcast
