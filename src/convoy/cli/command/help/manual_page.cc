#include "convoy/cli/command/help/manual_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

#include "convoy/cli/terminal/command_tree.h"

namespace convoy::cli {
namespace {

// CLI11's name for the group of flags without a group.
constexpr const char* kPlainGroup = "Options";

std::string roff_letter(char letter) {
  switch (letter) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return {letter};
  }
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff_escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", roff_escaped(text)); }

// A label with its text indented below it.
std::string item(const std::string& label, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", label, text);
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool is_many(const CLI::Option& option) {
  return option.get_expected_max() >= static_cast<int>(CLI::detail::expected_max_vector_size);
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> flags_in(const CLI::App& command, const std::string& group) {
  return command.get_options(
      [&](const CLI::Option* option) { return option->nonpositional() && option->get_group() == group; });
}

std::string synopsis(const CLI::App& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n{}", bold(command_path(command)));
  text += fmt::format(" [{}...]", italic("OPTION"));
  for (const CLI::Option* option : positionals(command)) {
    const std::string name = italic(option->get_name(true)) + (is_many(*option) ? "..." : "");
    text += option->get_required() ? " " + name : fmt::format(" [{}]", name);
  }
  const bool has_commands = !sub_commands(command).empty();
  if (has_commands || command.get_prefix_command())
    text += fmt::format(" {} [{}...]", italic("COMMAND"), italic("ARGUMENT"));
  return text + "\n";
}

std::string flag_label(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const std::string& spelling : flag_spellings(option)) spellings.push_back(bold(spelling));
  std::string label = fmt::format("{}", fmt::join(spellings, ", "));
  if (!takes_value(option) || option.get_type_name().empty()) return label;
  return fmt::format("{} {}{}", label, italic(option.get_type_name()), is_many(option) ? " ..." : "");
}

std::string default_text(const CLI::Option& option, const ManualOptions& options) {
  const std::string value = option.get_default_str();
  const bool is_at_home = !options.home.empty() && value.starts_with(options.home + "/");
  return is_at_home ? "~" + value.substr(options.home.size()) : value;
}

std::string option_help(const CLI::Option& option, const ManualOptions& options) {
  std::string text = roff_prose(option.get_description());
  if (option.get_required()) text += " (required)";
  if (!takes_value(option)) return text;
  const std::string value = default_text(option, options);
  return value.empty() ? text : fmt::format("{} (default: {})", text, roff_escaped(value));
}

std::string arguments_section(const CLI::App& command, const ManualOptions& options) {
  std::string text;
  for (const CLI::Option* option : positionals(command)) {
    text += item(italic(option->get_name(true)) + (is_many(*option) ? " ..." : ""), option_help(*option, options));
  }
  return text.empty() ? text : ".SH ARGUMENTS\n" + text;
}

std::string commands_section(const CLI::App& command) {
  std::string text;
  for (const CLI::App* below : sub_commands(command)) {
    text += item(bold(below->get_name()),
                 fmt::format("{}; see {}(1)", roff_prose(below->get_description()), bold(manual_name(*below))));
  }
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

std::string options_section(const CLI::App& command, const ManualOptions& options) {
  // Flags without a group come first, or they would seem to belong to the group before them.
  std::vector<std::string> groups = command.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group == kPlainGroup; });
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    const std::vector<const CLI::Option*> flags = flags_in(command, group);
    // A group without a name is hidden in help too.
    if (group.empty() || flags.empty()) continue;
    if (group != kPlainGroup) text += fmt::format(".SS {}\n", roff_escaped(group));
    for (const CLI::Option* flag : flags) text += item(flag_label(*flag), option_help(*flag, options));
  }
  return text;
}

std::string see_also_section(const CLI::App& command) {
  std::vector<std::string> names;
  const CLI::App* const parent = command.get_parent();
  if (parent != nullptr) {
    names.push_back(manual_name(*parent));
    for (const CLI::App* beside : sub_commands(*parent)) {
      if (beside != &command) names.push_back(manual_name(*beside));
    }
  }
  for (const CLI::App* below : sub_commands(command)) names.push_back(manual_name(*below));
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}{}(1)", text.empty() ? "" : ",\n", bold(name));
  return text.empty() ? text : fmt::format(".SH SEE ALSO\n{}\n", text);
}

std::string with_full_stop(const std::string& sentence) { return sentence.ends_with('.') ? sentence : sentence + "."; }

}  // namespace

std::string roff_escaped(std::string_view text) {
  std::string escaped;
  bool starts_line = true;
  for (const char letter : text) {
    // A quote at the start of a line has already been replaced by its roff name, so only a dot needs protection.
    if (starts_line && letter == '.') escaped += "\\&";
    escaped += roff_letter(letter);
    starts_line = letter == '\n';
  }
  return escaped;
}

std::string roff_prose(std::string_view text) {
  std::string prose;
  while (true) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == text.npos ? text.npos : text.find('`', open + 1);
    if (close == text.npos) return prose + roff_escaped(text);
    prose += roff_escaped(text.substr(0, open)) + bold(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

Footer split_footer(const std::string& text) {
  Footer footer;
  bool in_examples = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == "Example:" || line == "Examples:") {
      in_examples = true;
    } else if (in_examples && line.starts_with("  ")) {
      footer.examples += line.substr(2) + "\n";
    } else {
      in_examples = false;
      if (!line.empty()) footer.prose += line + "\n";
    }
  }
  return footer;
}

std::string manual_name(const CLI::App& command) {
  std::string name = command_path(command);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const CLI::App& command, const ManualOptions& options) {
  const std::string name = manual_name(command);
  const Footer footer = split_footer(command.get_footer());
  std::string page = fmt::format(".TH {} 1 \"\" \"Convoy {}\" \"Convoy Manual\"\n", roff_escaped(upper_case(name)),
                                 roff_escaped(options.version));
  // Ragged right and without hyphenation, so that names of commands and flags stay whole.
  page += ".nh\n.ad l\n";
  // The format that apropos reads: name, hyphen, one line.
  page += fmt::format(".SH NAME\n{} \\- {}\n", roff_escaped(name), roff_escaped(command.get_description()));
  page += synopsis(command);
  page += fmt::format(".SH DESCRIPTION\n{}\n", roff_prose(with_full_stop(command.get_description())));
  if (!footer.prose.empty()) page += ".PP\n" + roff_prose(footer.prose);
  page += arguments_section(command, options) + commands_section(command) + options_section(command, options);
  if (!footer.examples.empty()) page += fmt::format(".SH EXAMPLES\n.nf\n{}.fi\n", roff_escaped(footer.examples));
  return page + see_also_section(command);
}

}  // namespace convoy::cli
