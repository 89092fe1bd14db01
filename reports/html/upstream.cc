#include "reports/html/upstream.h"

#include <algorithm>

#include "cases/date.h"
#include "reports/html/markup.h"
#include "reports/summary.h"

namespace upcast::reports {
namespace {

constexpr std::string_view kScheme = "https://";

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// A short text for a link's address: a thread of GitHub by its number, any other page by its host
/// and its name.
std::string short_name(std::string_view address) {
  const std::vector<std::string_view> parts = parts_of(address.substr(kScheme.size()), '/');
  if (parts.empty()) return std::string(address);
  const bool is_thread = parts.size() == 5 && parts[0] == "github.com" &&
                         (parts[3] == "issues" || parts[3] == "pull" || parts[3] == "discussions");
  if (is_thread) return std::string(parts[2]) + "#" + std::string(parts[4]);
  if (parts.size() == 1) return std::string(parts[0]);
  std::string_view page = parts.back();
  if (page.ends_with(".html")) page.remove_suffix(5);
  return std::string(parts[0]) + ": " + std::string(page);
}

}  // namespace

std::vector<UpstreamLink> upstream_links(std::string_view links) {
  std::vector<UpstreamLink> found;
  for (const std::string_view link : parts_of(links, ' ')) {
    if (link.starts_with(kScheme))
      found.push_back({short_name(link), std::string(link)});
    else
      found.push_back({std::string(link), ""});
  }
  return found;
}

std::string links_markup(std::string_view links) {
  std::string out;
  for (const UpstreamLink& link : upstream_links(links)) {
    if (!out.empty()) out += ", ";
    if (link.address.empty())
      out += escaped(link.text);
    else
      add(out, "<a href=\"{}\" rel=\"noreferrer\">{}</a>", escaped(link.address),
          escaped(link.text));
  }
  return out;
}

std::string age_at_run(std::string_view found, std::string_view run) {
  const auto first = parse_date(found);
  const auto last = parse_date(run);
  if (!first || !last || *last < *first) return "";
  const auto days = (*last - *first).count();
  return grouped(days) + (days == 1 ? " day old" : " days old");
}

}  // namespace upcast::reports
