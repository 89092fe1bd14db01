#include "tools/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace upcast::tools {
namespace {

template <class... Parts>
void add(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

/// The text with a backslash before each character that `special` contains.
std::string escaped(const std::string& text, const std::string& special) {
  std::string made;
  for (const char c : text) {
    if (special.find(c) != special.npos) made += '\\';
    made += c;
  }
  return made;
}

/// A word in single quotes, which bash, zsh and fish accept. The characters in `special` get a
/// backslash, for the program that reads the word.
std::string quoted(const std::string& text, const std::string& special = "") {
  std::string made = "'";
  for (const char c : escaped(text, special))
    made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

/// All names of all flags of a command, a space after each.
std::string flag_words(const CommandRow& command) {
  std::string words;
  for (const FlagRow& flag : command.flags)
    for (const std::string& name : flag.names) words += name + " ";
  return words;
}

/// The words that a command's arguments may be, if they are not free text; a space after each.
std::string choice_words(const CommandRow& command) {
  std::string words;
  for (const ArgumentRow& argument : command.arguments)
    for (const std::string& word : argument.choices) words += word + " ";
  return words;
}

}  // namespace

std::string bash_completion(const CommandTree& tree) {
  std::string text =
      "# Completion of upcast in bash; made by: upcast completion bash\n"
      "_upcast() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} words=''\n"
      "  if ((COMP_CWORD == 1)); then\n";
  add(text, "    words={}\n",
      quoted(fmt::format("{} {}", fmt::join(tree.names(), " "), flag_words(tree.itself))));
  text += "  else\n    case ${COMP_WORDS[1]}:$word in\n";
  for (const CommandRow& command : tree.commands) {
    add(text, "      {}:-*) words={} ;;\n", command.name, quoted(flag_words(command)));
    if (const std::string words = choice_words(command); !words.empty())
      add(text, "      {}:*) words={} ;;\n", command.name, quoted(words));
  }
  return text +
         "    esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -o default -o bashdefault -F _upcast upcast\n";
}

std::string zsh_completion(const CommandTree& tree) {
  std::string text =
      "#compdef upcast\n"
      "# Completion of upcast in zsh; made by: upcast completion zsh\n"
      "_upcast() {\n"
      "  local -a commands=(\n";
  for (const CommandRow& command : tree.commands)
    add(text, "    {}\n", quoted(escaped(command.name, ":") + ":" + command.about));
  text += "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    _arguments";
  const auto add_flags = [&text](const CommandRow& command) {
    for (const FlagRow& flag : command.flags)
      for (const std::string& name : flag.names)
        add(text, " \\\n        {}",
            quoted(name + "[" + escaped(flag.about, "[]\\:") + "]" +
                   (flag.value.empty() ? "" : ":" + flag.value + ":_files")));
  };
  add_flags(tree.itself);
  text +=
      "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case "
      "$command in\n";
  for (const CommandRow& command : tree.commands) {
    add(text, "    {})\n      _arguments", command.name);
    add_flags(command);
    const std::string words = choice_words(command);
    add(text, " \\\n        {}\n      ;;\n",
        quoted(words.empty() ? "*:argument:_files" : "*:argument:(" + words + ")"));
  }
  return text + "  esac\n}\n_upcast \"$@\"\n";
}

std::string fish_completion(const CommandTree& tree) {
  std::string text = "# Completion of upcast in fish; made by: upcast completion fish\n";
  const auto add_flags = [&text](const CommandRow& command, const std::string& where) {
    for (const FlagRow& flag : command.flags) {
      add(text, "complete -c upcast -n {}", quoted(where));
      for (const std::string& name : flag.names)
        add(text, " {} {}", name.starts_with("--") ? "-l" : "-s",
            name.substr(name.find_first_not_of('-')));
      add(text, "{} -d {}\n", flag.value.empty() ? "" : " -r", quoted(flag.about, "\\"));
    }
  };
  add_flags(tree.itself, "__fish_use_subcommand");
  for (const CommandRow& command : tree.commands) {
    add(text, "complete -c upcast -f -n '__fish_use_subcommand' -a {} -d {}\n", command.name,
        quoted(command.about, "\\"));
    const std::string where = "__fish_seen_subcommand_from " + command.name;
    add_flags(command, where);
    if (const std::string words = choice_words(command); !words.empty())
      add(text, "complete -c upcast -f -n {} -a {}\n", quoted(where), quoted(words));
  }
  return text;
}

}  // namespace upcast::tools
