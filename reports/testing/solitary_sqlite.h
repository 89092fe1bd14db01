// SQLite for a program that reads run stores in one thread, as fast as it can, while nobody else
// uses them.
#pragma once

namespace upcast::reports::testing {

/// From now on SQLite takes no locks, neither between threads nor on files, looks for no journals,
/// and counts no memory. A small store is read in two thirds of the time. A store that was left
/// with a journal, or that another program writes, is read wrongly. Call it before SQLite is used.
void use_solitary_sqlite();

}  // namespace upcast::reports::testing
