// The compatibility report: run stores in, one self-contained HTML file out.
#pragma once

#include <string>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// Writes the report of one or several runs. Stores of one plan with different shards are one run.
///
/// The file opens from disk, asks the network for nothing and runs no script but its own (content
/// security policy by hash). Its summary, failures and known differences are readable without a
/// script. The same stores give the same bytes. UsageError: a store cannot be read, or `out` cannot
/// be written; then an earlier file at `out` is left as it was.
void write_html(const std::vector<std::string>& store_paths, const std::string& out);

/// The page itself.
std::string render_html(const std::vector<std::string>& store_paths);

}  // namespace upcast::reports
