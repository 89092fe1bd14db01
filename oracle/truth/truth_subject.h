// The truth as a Subject: anything may be compared with it.
#pragma once

#include "oracle/subject.h"

namespace upcast {

/// "truth": dtypes, shapes and strides by our promotion and iterator, values correctly rounded.
/// Calls without a truth are not judged, and the answer says why.
std::unique_ptr<Subject> make_truth_subject(std::string_view name);

}  // namespace upcast
