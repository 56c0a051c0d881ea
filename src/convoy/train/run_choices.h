// The kernels a run computes with, in training and in evaluation. They are kept in its folder: with the same choices a
// resumed or repeated run computes the same numbers, whatever a timer would say today.
#pragma once

#include <filesystem>

#include "convoy/engine/choices.h"

namespace convoy {

// In the folder of the choices.
inline constexpr const char* kTrainingChoices = "training.json";
inline constexpr const char* kEvaluationChoices = "evaluation.json";

struct RunChoices {
  Choices training;
  Choices evaluation;
};

// As two files in a folder of their own. Throws SystemError.
void write_choices(const std::filesystem::path& folder, const RunChoices& choices);

// Throws DataError with the file and what is wrong with it.
[[nodiscard]] RunChoices read_choices(const std::filesystem::path& folder);

}  // namespace convoy
