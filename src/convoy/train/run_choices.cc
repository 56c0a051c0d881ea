#include "convoy/train/run_choices.h"

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/input_file.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

Choices read_one(const fs::path& file) {
  std::string text;
  try {
    text = read_file(file);
  } catch (const DataError& error) {
    throw DataError("{}; it holds the kernels the run computes with", error.what());
  }
  return choices_from_json(text, file.string());
}

}  // namespace

void write_choices(const fs::path& folder, const RunChoices& choices) {
  make_folder(folder);
  write_file_atomically(folder / kTrainingChoices, choices_to_json(choices.training));
  write_file_atomically(folder / kEvaluationChoices, choices_to_json(choices.evaluation));
}

RunChoices read_choices(const fs::path& folder) {
  return {.training = read_one(folder / kTrainingChoices), .evaluation = read_one(folder / kEvaluationChoices)};
}

}  // namespace convoy
