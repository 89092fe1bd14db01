// Makes small pieces of HTML that the static sections share.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// The text with `&`, `<`, `>` and both quotes as entities, and made visible() except for line
/// breaks and tabs. The result is safe in element text and in quoted attributes, of HTML and of
/// XML.
std::string escaped(std::string_view text);

/// A name, percent-encoded as a part of a URL (RFC 3986).
std::string url_part(std::string_view text);

/// Appends formatted markup to `out`. Arguments from outside must be escaped already.
template <class... Arguments>
void add(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

/// A command `upcast NAME '<line>'`, quoted for a POSIX shell. Names only those sides that are not
/// the defaults.
std::string command_text(std::string_view command_name, std::string_view line,
                         const Summary& summary);

/// The command that judges a line of the run again: `upcast run '<line>'`. In a run of rule books a
/// line is a cell of a table, `BOOK | TABLE | ...`, or a question to all books. A cell runs with
/// all cells of its pair.
std::string rerun_text(std::string_view line, const Summary& summary);

/// A case line in monospace. The script adds a copy button and, where `case_index` is not negative,
/// a link to the case.
std::string line_cell(std::string_view line, int64_t case_index, const Summary& summary,
                      size_t run);

/// A verdict as a coloured label with its shape.
std::string verdict_chip(VerdictCode verdict);

/// A text that the script makes a link to a search of the run. It stays plain text if `query` is
/// "".
std::string query_text(std::string_view text, std::string_view query, const Summary& summary);

/// The start of a table: `<div class="scroll"><table class="list ..."><caption>`. The caller must
/// close it with `</table></div>`. Screen readers call the table by the caption; others read the
/// heading above it.
std::string table_start(std::string_view classes, std::string_view caption);
std::string caption_text(std::string_view text);

/// The heading of a run in a section; "" if the report has only one run.
std::string run_heading(const std::vector<RunData>& runs, size_t run);

}  // namespace upcast::reports
