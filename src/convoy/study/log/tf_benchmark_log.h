// Reads what tf_cnn_benchmarks prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Reads `total images/sec: R` as the only epoch of a run. The lines of single steps (`10 images/sec: R +/- U (jitter =
// J) loss`) are running means, so they are not separate measurements and their spread means nothing. `Model:`, `Batch
// size: G global`, `B per device` and `Devices: [...]` become settings; the batch is that of a device, so the scaling
// is weak. With `Num batches: N` and the global batch, samples and seconds are known too. Throws DataError when there
// is no total.
[[nodiscard]] std::vector<ImportedLog> parse_tf_benchmark_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
