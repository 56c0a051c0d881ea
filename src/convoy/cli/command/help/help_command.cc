#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/command/help/dictionary.h"
#include "convoy/cli/terminal/command_tree.h"
#include "convoy/cli/terminal/terminal.h"

namespace convoy::cli {
namespace {

constexpr std::size_t kHelpColumns = 100;

struct HelpFlags {
  std::vector<std::string> words;
  bool markdown = false;
};

// Wraps text at blanks.
std::string wrapped(const std::string& text, std::size_t columns, const std::string& indent) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    const bool is_first = column == 0;
    if (!is_first && column + 1 + word.size() > columns) {
      result += "\n";
      column = 0;
    }
    result += column == 0 ? indent + word : " " + word;
    column += (column == 0 ? indent.size() : 1) + word.size();
  }
  return result + "\n";
}

std::string entry_text(const DictionaryEntry& entry) {
  return fmt::format("{} ({})\n{}", fmt::join(entry.words, ", "), entry.systems,
                     wrapped(entry.meaning, kHelpColumns, "  "));
}

// Explains a flag, with the commands that have it. The same flag may mean different things in different commands.
std::string flags_text(const CLI::App& root, const std::string& word) {
  const std::string flag = "--" + word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::vector<std::pair<std::string, std::vector<std::string>>> found;  // each meaning, and the commands with it
  for (const CLI::App* command : all_commands(root)) {
    for (const CLI::Option* option : command->get_options()) {
      const std::vector<std::string> spellings = flag_spellings(*option);
      if (std::ranges::find(spellings, flag) == spellings.end() || option->get_group().empty()) continue;
      auto place = std::ranges::find(found, option->get_description(), [](const auto& each) { return each.first; });
      if (place == found.end()) place = found.insert(found.end(), {option->get_description(), {}});
      place->second.push_back(command_path(*command));
    }
  }
  std::string text;
  for (const auto& [description, commands] : found) {
    text += fmt::format("{} ({})\n{}", flag, fmt::join(commands, ", "), wrapped(description, kHelpColumns, "  "));
  }
  return text;
}

// The command that the words name, or null.
const CLI::App* command_of(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* command = &root;
  for (const std::string& word : words) {
    command = find_sub_command(*command, word);
    if (command == nullptr) return nullptr;
  }
  return command;
}

std::string all_words() {
  std::string text = "Words of other systems that `convoy help WORD` explains:\n";
  std::string topic;
  std::string line;
  for (const DictionaryEntry& entry : dictionary()) {
    if (topic != entry.topic) {
      if (!line.empty()) text += wrapped(line, kHelpColumns, "  ");
      topic = entry.topic;
      text += fmt::format("\n{}\n", topic);
      line.clear();
    }
    line += fmt::format("{}{}", line.empty() ? "" : ", ", fmt::join(entry.words, ", "));
  }
  return text + wrapped(line, kHelpColumns, "  ");
}

[[noreturn]] void refuse(const CLI::App& root, const std::string& word) {
  std::vector<std::string> near = near_words(word);
  std::vector<std::string> commands;
  for (const CLI::App* command : sub_commands(root)) commands.push_back(command->get_name());
  if (const auto nearest = nearest_name(word, commands)) near.push_back(*nearest);
  throw UserError("'{}' is not a word of the dictionary, a command or a flag{}; `convoy help` lists the words",
                  quoted_text(word), near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, ", ")));
}

void run_help(const CLI::App& root, const HelpFlags& flags) {
  if (flags.markdown) {
    say_result("{}", dictionary_markdown());
    return;
  }
  if (flags.words.empty()) {
    say_result("{}", all_words());
    return;
  }
  const std::string word = fmt::format("{}", fmt::join(flags.words, " "));
  std::string text;
  for (const DictionaryEntry* entry : entries_for(word)) text += (text.empty() ? "" : "\n") + entry_text(*entry);
  if (const std::string of_flag = flags_text(root, word); !of_flag.empty()) {
    text += (text.empty() ? "" : "\n") + of_flag;
  }
  if (const CLI::App* const command = command_of(root, flags.words)) {
    text += (text.empty() ? "" : "\n") + command->help(command_path(*command->get_parent()));
  }
  if (text.empty()) refuse(root, word);
  say_result("{}", text);
}

}  // namespace

void add_help_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("help", "Explain a command, a flag, or a word of CNTK, Horovod, TensorFlow, Caffe or PyTorch");
  const auto flags = std::make_shared<HelpFlags>();
  command
      ->add_option("WORD", flags->words, "Such as NCCL, MirroredStrategy, minibatch, batch or train; all if left out")
      ->type_name("WORD");
  command->add_flag("--markdown", flags->markdown, "Print the whole dictionary as docs/dictionary.md has it");
  command->footer(
      "Examples:\n"
      "  convoy help HierarchicalCopy\n"
      "  convoy help hvd.size\n"
      "  convoy help study scale");
  command->allow_extras();  // words with a dash in front: `convoy help --batch`, `convoy help -np`
  command->callback([&app, command, flags] {
    for (const std::string& word : command->remaining()) flags->words.push_back(word);
    run_help(app, *flags);
  });
}

}  // namespace convoy::cli
