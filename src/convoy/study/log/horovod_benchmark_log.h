// Reads what Horovod's synthetic benchmarks print (pytorch_, tensorflow2_, keras_synthetic_benchmark.py).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Reads `Iter #i: R img/sec per GPU` as an epoch of which only the rate is known: R times the workers, which is how the
// benchmark itself computes its total. If there are no such lines, `Total img/sec on N GPU(s): R +-S` is the only
// epoch. `Model: M`, `Batch size: B` and `Number of GPUs: N` become settings; the batch is that of a worker, so the
// scaling is weak. Throws DataError when there is no rate, or nothing says how many workers there were.
[[nodiscard]] std::vector<ImportedLog> parse_horovod_benchmark_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
