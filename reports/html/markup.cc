#include "reports/html/markup.h"

#include <cctype>
#include <cstdint>
#include <cstring>

#include "cases/shell_word.h"
#include "cases/visible.h"
#include "oracle/side.h"
#include "reports/verdict_look.h"

namespace upcast::reports {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : visible(text, "\n\t")) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string url_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || std::strchr("-._~", c);
    out +=
        is_plain && c != '\0' ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  return out;
}

std::string command_text(std::string_view command_name, std::string_view line,
                         const Summary& summary) {
  std::string command = "upcast " + std::string(command_name) + " " + shell_word(line);
  if (summary.subject != "impl:cpu") command += " --subject " + shell_word(summary.subject);
  if (summary.oracle != "libtorch:cpu") command += " --oracle " + shell_word(summary.oracle);
  return command;
}

std::string rerun_text(std::string_view line, const Summary& summary) {
  if (parse_side(summary.subject).vendor != Vendor::kRuleBook)
    return command_text("run", line, summary);
  constexpr std::string_view kBar = " | ";
  const size_t first = line.find(kBar);
  if (first == std::string_view::npos) return "upcast explain --rulebook all " + shell_word(line);
  const std::string_view rest = line.substr(first + kBar.size());
  return fmt::format("upcast run --grid rulebooks --subject {} --oracle {}",
                     shell_word(fmt::format("rulebook:{}", line.substr(0, first))),
                     shell_word(fmt::format("table:{}", rest.substr(0, rest.find(kBar)))));
}

std::string line_cell(std::string_view line, int64_t case_index, const Summary& summary,
                      size_t run) {
  return fmt::format(
      "<span class=\"line\"><code data-run=\"{}\" data-case=\"{}\" "
      "data-copy=\"{}\">{}</code></span>",
      run, case_index, escaped(rerun_text(line, summary)), escaped(line));
}

std::string verdict_chip(VerdictCode verdict) {
  const VerdictLook& look = look_of(verdict);
  return fmt::format("<span class=\"chip m-{}\"><span aria-hidden=\"true\">{}</span> {}</span>",
                     look.css, look.glyph, name(verdict));
}

std::string query_text(std::string_view text, std::string_view query, const Summary& summary) {
  if (query.empty()) return escaped(text);
  return fmt::format("<span data-query=\"{}\" data-subject=\"{}\">{}</span>", escaped(query),
                     escaped(summary.subject), escaped(text));
}

std::string caption_text(std::string_view text) {
  return fmt::format("<caption class=\"offscreen\">{}</caption>", escaped(text));
}

std::string table_start(std::string_view classes, std::string_view caption) {
  return fmt::format("<div class=\"scroll\"><table class=\"list{}{}\">{}",
                     classes.empty() ? "" : " ", classes, caption_text(caption));
}

std::string run_heading(const std::vector<RunData>& runs, size_t run) {
  if (runs.size() < 2) return "";
  return fmt::format("<h2 class=\"run\">{} <small>{}</small></h2>",
                     escaped(runs[run].summary.title()), escaped(runs[run].summary.source));
}

}  // namespace upcast::reports
