// Reads epochs of any system from a CSV file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// A row for each epoch, or for each epoch and rank. Columns, in any order:
//   epoch                              from 1, never decreasing
//   samples_per_second, seconds, samples   two of them give the third; samples are those of all workers
//   loss
//   accuracy, accuracy_percent         on the training data, as a share or in percent
//   test_accuracy, test_accuracy_percent
//   rank
//   workers, batch, threads            the same in all rows; each becomes a setting
// Throws DataError with name and line for what is missing or makes no sense, naming the nearest column for one that is
// not known.
[[nodiscard]] ImportedLog parse_csv_log(std::string_view text, const std::string& name);

// The same of a file.
[[nodiscard]] ImportedLog read_csv_log(const std::filesystem::path& path);

}  // namespace convoy::study
