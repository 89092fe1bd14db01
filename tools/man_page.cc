#include "tools/man_page.h"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

namespace upcast::tools {
namespace {

template <class... Parts>
void add(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

/// Escapes a text so that roff prints it as it is, with minus signs, and takes no part of it for an
/// escape or a request.
std::string plain(std::string_view text) {
  std::string made;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) made += "\\&";
    begins = c == '\n';
    if (c == '\\')
      made += "\\e";
    else if (c == '-')
      made += "\\-";
    else if (c == '\'')
      made += "\\(aq";
    else if (c == '^')
      made += "\\(ha";
    else if (c == '~')
      made += "\\(ti";
    else if (c == '`')
      made += "\\(ga";
    else
      made += c;
  }
  return made;
}

/// A text as a quoted argument of a roff request. Quotes in it are escaped, because they would end
/// the argument.
std::string argument(std::string_view text) {
  std::string made;
  for (const char c : plain(text)) made += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return '"' + made + '"';
}

void add_flags(std::string& text, const CommandRow& command) {
  for (const FlagRow& flag : command.flags) {
    std::string names;
    for (const std::string& name : flag.names)
      names += (names.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
    if (!flag.value.empty()) names += " \\fI" + plain(flag.value) + "\\fR";
    add(text, ".TP\n{}\n{}\n", names, plain(flag.about));
  }
}

/// Adds the lines of a command's footer, and keeps roff from joining them into paragraphs.
void add_footer(std::string& text, const CommandRow& command) {
  if (!command.footer.empty()) add(text, ".PP\n.nf\n{}\n.fi\n", plain(command.footer));
}

std::string synopsis(const CommandRow& command) {
  std::string text = fmt::format(".B upcast {}\n", plain(command.name));
  if (!command.flags.empty()) text += "[\\fIoptions\\fR]\n";
  for (const ArgumentRow& each : command.arguments) {
    const std::string name =
        fmt::format("\\fI{}\\fR{}", plain(each.name), each.repeats ? "..." : "");
    add(text, "{}\n", each.required ? name : "[" + name + "]");
  }
  return text;
}

}  // namespace

std::string man_page(const CommandTree& tree, std::string_view version) {
  std::string text =
      ".\\\" Made by: upcast man\n"
      ".TH UPCAST 1 \"\" " +
      argument("upcast " + std::string(version)) + " \"User Commands\"\n";
  add(text, ".SH NAME\nupcast \\- {}\n", plain(tree.itself.about));
  text += ".SH SYNOPSIS\n.B upcast\n\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n";
  text += ".SH OPTIONS\n";
  add_flags(text, tree.itself);
  text += ".SH COMMANDS\n";
  for (const CommandRow& command : tree.commands) {
    add(text, ".SS {}\n{}.PP\n{}\n", argument("upcast " + command.name), synopsis(command),
        plain(command.about));
    for (const ArgumentRow& each : command.arguments)
      add(text, ".TP\n\\fI{}\\fR\n{}\n", plain(each.name), plain(each.about));
    add_flags(text, command);
    add_footer(text, command);
  }
  text += ".SH EXAMPLES AND EXIT STATUS\n";
  add_footer(text, tree.itself);
  return text;
}

}  // namespace upcast::tools
