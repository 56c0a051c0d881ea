#include "convoy/cli/terminal/command_line.h"

#include <fstream>

namespace convoy::cli {

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace convoy::cli
