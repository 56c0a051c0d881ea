#include "convoy/train/run_choices.h"

#include <fmt/core.h>

#include <fstream>
#include <sstream>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

Choices read_one(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw DataError("{}: cannot be read; it holds the kernels the run computes with", file.string());
  std::ostringstream text;
  text << in.rdbuf();
  return choices_from_json(text.str(), file.string());
}

}  // namespace

void write_choices(const fs::path& folder, const RunChoices& choices) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw SystemError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  write_file_atomically(folder / kTrainingChoices, choices_to_json(choices.training));
  write_file_atomically(folder / kEvaluationChoices, choices_to_json(choices.evaluation));
}

RunChoices read_choices(const fs::path& folder) {
  return {.training = read_one(folder / kTrainingChoices), .evaluation = read_one(folder / kEvaluationChoices)};
}

}  // namespace convoy
