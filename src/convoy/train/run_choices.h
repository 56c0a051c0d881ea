// The kernels that a run uses in training and evaluation. They are kept in its folder: with the same choices a resumed
// or repeated run computes the same numbers, even if other kernels would be faster today.
#pragma once

#include <filesystem>

#include "convoy/engine/choices.h"

namespace convoy {

// File names in the folder of the choices.
inline constexpr const char* kTrainingChoices = "training.json";
inline constexpr const char* kEvaluationChoices = "evaluation.json";

struct RunChoices {
  Choices training;
  Choices evaluation;
};

// Writes two files to a folder of their own. Throws SystemError.
void write_choices(const std::filesystem::path& folder, const RunChoices& choices);

// Throws DataError with the file and what is wrong with it.
[[nodiscard]] RunChoices read_choices(const std::filesystem::path& folder);

}  // namespace convoy
