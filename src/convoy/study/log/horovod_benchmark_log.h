// Reads what Horovod's synthetic benchmarks print (pytorch_, tensorflow2_, keras_synthetic_benchmark.py).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Takes `Iter #i: R img/sec per GPU` as an epoch of which only the rate is known, R times the workers, as the benchmark
// itself makes its total; without such lines, `Total img/sec on N GPU(s): R +-S` as the only epoch. `Model: M`, `Batch
// size: B` and `Number of GPUs: N` become settings: the batch is a worker's, so the scaling is weak. Throws DataError
// when there is no rate, and when nothing says how many workers there were.
[[nodiscard]] std::vector<ImportedLog> parse_horovod_benchmark_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
