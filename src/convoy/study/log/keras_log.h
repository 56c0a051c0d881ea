// Reads what Keras prints while it trains, alone or under Horovod.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Takes `Epoch e/E` and the last line of its progress, in the form of any version:
//   235/235 [======] - 12s 51ms/step - loss: 0.2 - accuracy: 0.93 - val_loss: 0.1 - val_accuracy: 0.95
// Metrics that begin with val_ are those of the evaluation, and so are `Test loss: 0.1` and `Test accuracy: 0.95` after
// the last epoch. Seconds are those that are printed, or steps times the time of one where that tells more digits; they
// include the evaluation where there is one, as Keras counts it. The samples of an epoch are known only where the time
// is that of a sample (85us/sample): a step's samples are not printed. Unfinished progress is passed over. Throws
// DataError with name and line for an epoch after a later one of its run (log_runs.h), and when there is none.
[[nodiscard]] std::vector<ImportedLog> parse_keras_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
