#include "convoy/study/log/command_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <utility>
#include <vector>

namespace convoy::study {
namespace {

constexpr std::array<std::string_view, 9> kLaunchers = {"mpirun", "mpiexec", "mpiexec.hydra", "horovodrun", "srun",
                                                        "ibrun",  "aprun",   "jsrun",         "torchrun"};
// Commands that run the command after them.
constexpr std::array<std::string_view, 6> kWrappers = {"time", "nohup", "sudo", "numactl", "env", "nice"};

// Options, reduced to their letters and digits, and the settings they stand for.
constexpr std::array kOptions = {
    std::pair{"batchsize", "batch"},       std::pair{"batch", "batch"},     std::pair{"minibatchsize", "batch"},
    std::pair{"minibatch", "batch"},       std::pair{"threads", "threads"}, std::pair{"numthreads", "threads"},
    std::pair{"ompnumthreads", "threads"}, std::pair{"numgpus", "workers"}, std::pair{"nprocpernode", "workers"},
    std::pair{"model", "model"},           std::pair{"arch", "model"},      std::pair{"modelname", "model"}};
constexpr std::array<std::string_view, 5> kWorkersOfLaunchers = {"np", "n", "ntasks", "numproc", "nprocpernode"};

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> words_in(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
    if (!word.empty() && word != "\\") words.push_back(std::move(word));
  }
  return words;
}

// The text without a prompt before it.
std::string_view after_prompt(std::string_view text) {
  const std::size_t prompt = text.find("$ ");
  constexpr std::size_t kLongestPrompt = 60;
  return prompt <= kLongestPrompt ? text.substr(prompt + 2) : text;
}

std::string base_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

bool is_variable(const std::string& word) {
  const std::size_t equals = word.find('=');
  return equals != std::string::npos && equals > 0 &&
         std::all_of(word.begin(), word.begin() + std::ptrdiff_t(equals),
                     [](unsigned char c) { return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_'; });
}

// "python", "python3.11"
bool is_python(std::string_view name) {
  constexpr std::string_view kName = "python";
  return name.starts_with(kName) && name.find_first_not_of("0123456789.", kName.size()) == std::string_view::npos;
}

bool is_program(const std::string& word) {
  const std::string name = base_name(word);
  return has(kLaunchers, name) || is_python(name);
}

// "--Batch_Size" becomes "batchsize".
std::string letters_in(std::string_view option) {
  std::string letters;
  for (const char c : option) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) letters += static_cast<char>(std::tolower(byte));
  }
  return letters;
}

bool is_count(const std::string& text) {
  constexpr std::size_t kMostDigits = 9;
  return !text.empty() && text.size() <= kMostDigits && text.front() != '0' &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

class CommandReader {
 public:
  explicit CommandReader(std::vector<std::string> words) : words_(std::move(words)) {}

  std::map<std::string, std::string> read() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i];
      if (is_program(word)) of_launcher_ = has(kLaunchers, base_name(word));
      const bool is_option = word.starts_with('-') && word != "-N";  // srun's -N is the number of nodes, not of workers
      if (!is_option && !is_variable(word)) continue;
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) {
        take(letters_in(word.substr(0, equals)), word.substr(equals + 1));
      } else if (i + 1 < words_.size()) {
        take(letters_in(word), words_[i + 1]);
      }
    }
    return std::move(settings_);
  }

 private:
  void take(const std::string& option, const std::string& value) {
    if (of_launcher_ && has(kWorkersOfLaunchers, option)) {
      if (is_count(value)) settings_["workers"] = value;
      return;
    }
    const auto found = std::ranges::find(kOptions, option, &decltype(kOptions)::value_type::first);
    if (found == kOptions.end()) return;
    const std::string key = found->second;
    if (key == "model" ? !value.starts_with('-') : is_count(value)) settings_.try_emplace(key, value);
  }

  std::vector<std::string> words_;
  bool of_launcher_ = false;  // whether options belong to a launcher; after the program's name they are the program's
  std::map<std::string, std::string> settings_;
};

}  // namespace

bool is_command_line(std::string_view text) {
  constexpr std::size_t kLongest = 10'000;
  if (text.size() > kLongest) return false;
  for (const std::string& word : words_in(after_prompt(text))) {
    if (is_variable(word) || has(kWrappers, word)) continue;
    return is_program(word);
  }
  return false;
}

std::map<std::string, std::string> settings_from_command(std::string_view text) {
  return CommandReader(words_in(after_prompt(text))).read();
}

}  // namespace convoy::study
