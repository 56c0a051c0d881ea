// Reads what Keras prints during training, alone or under Horovod.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Reads `Epoch e/E` and the last line of its progress, in the format of any version:
//   235/235 [======] - 12s 51ms/step - loss: 0.2 - accuracy: 0.93 - val_loss: 0.1 - val_accuracy: 0.95
// Metrics that begin with val_ are those of the evaluation, and so are `Test loss: 0.1` and `Test accuracy: 0.95` after
// the last epoch. Seconds are those printed, or steps times the time of one step if that has more digits; they include
// the evaluation, as Keras counts them. The samples of an epoch are known only if the time is per sample (85us/sample),
// because the samples of a step are not printed. Unfinished progress is skipped. Throws DataError with name and line
// for an epoch after a later one of its run (log_runs.h), and when there is no epoch.
[[nodiscard]] std::vector<ImportedLog> parse_keras_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
