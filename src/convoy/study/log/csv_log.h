// Reads epochs of any system from a CSV file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// A row for each epoch, or for each epoch and rank. Columns, in any order:
//   epoch                              from 1, or from 0 as Keras' CSVLogger counts; never decreasing in a run
//   samples_per_second, seconds, samples   of the epoch; two of them give the third; samples are those of all workers
//   loss, test_loss
//   accuracy, test_accuracy            on the training and the test data: as a share, or in percent in a column that
//   error, test_error                  ends in _percent or in cells with a percent sign
//   rank
//   workers, batch, threads, model, run    rows that differ in one of them are different runs; all but run become
//                                          settings
//   learning_rate                      is not used
// Names that others use are understood too: train_accuracy, acc, val_accuracy, val_loss, batch_size, nodes, "Test
// accuracy (%)". Other metrics that Keras' CSVLogger writes, such as precision and val_precision, are skipped, and
// cells with NA count as empty. A row needs two of the first three, or a loss or accuracy. Throws DataError with name
// and line for what is missing or makes no sense, naming the nearest column for one that is not known.
[[nodiscard]] std::vector<ImportedLog> parse_csv_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
