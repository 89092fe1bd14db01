// Small pieces of markup that the static sections share.
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

/// `&`, `<`, `>` and both quotes as entities, and visible() except line breaks and tabs. Safe in
/// element text and in quoted attributes, of HTML and of XML.
std::string escaped(std::string_view text);

/// A name as a part of an address (RFC 3986).
std::string url_part(std::string_view text);

/// Appends formatted markup. Texts from outside must come escaped.
template <class... Arguments>
void add(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

/// `upcast NAME '<line>'`, quoted for a POSIX shell; sides that are not the usual ones are named.
std::string command_text(std::string_view command_name, std::string_view line,
                         const Summary& summary);

/// Judges the line again: `upcast run '<line>'`. In a run of rule books a line is a cell of a
/// table, `BOOK | TABLE | ...`, which runs with the whole of its pair, or a question to all books.
std::string rerun_text(std::string_view line, const Summary& summary);

/// A case line in monospace. The script adds a copy button and, where `case_index` is not negative,
/// a link to the case.
std::string line_cell(std::string_view line, int64_t case_index, const Summary& summary,
                      size_t run);

/// A verdict as a coloured label with its shape.
std::string verdict_chip(VerdictCode verdict);

/// A text that the script makes a link to a search of the run; as it is where `query` is "".
std::string query_text(std::string_view text, std::string_view query, const Summary& summary);

/// `<div class="scroll"><table class="list ..."><caption>`, to be closed by `</table></div>`. The
/// caption is what screen readers call the table; others read the heading above it.
std::string table_start(std::string_view classes, std::string_view caption);
std::string caption_text(std::string_view text);

/// The heading of one run of several; "" where there is only one.
std::string run_heading(const std::vector<RunData>& runs, size_t run);

}  // namespace upcast::reports
