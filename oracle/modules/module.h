// What a module exports: one function. It takes the rest of upcast from the program that loads it
// (exported_symbols.txt), so that both use the same catalogue.
#pragma once

#include "oracle/subject.h"

extern "C" {

/// Makes the subject with this name; the caller owns it. Throws UsageError as SubjectFactory does.
upcast::Subject* upcast_make_subject(const char* name);
}
