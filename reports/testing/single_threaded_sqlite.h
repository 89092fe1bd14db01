// SQLite for a program that reads run stores in one thread, as fast as it can.
#pragma once

namespace upcast::reports::testing {

/// SQLite takes no locks between threads from now on, and counts no memory: a small store is read
/// in a tenth less time. Once SQLite is in use it refuses that, which costs only the time.
void use_single_threaded_sqlite();

}  // namespace upcast::reports::testing
