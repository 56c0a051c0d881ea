// Machines in words, by their hardware: the cores that a rank was bound to are a matter of the run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/record/run_info.h"

namespace convoy::report {

// "EPYC 9B45, 64 hardware threads"; the model alone where the record does not tell the threads.
[[nodiscard]] std::string machine_text(const HostInfo& host);

// The kinds of machines of each run, so that runs on the same hardware have the same text: threads are named only where
// all records tell them. Empty for a run without hosts.
[[nodiscard]] std::vector<std::string> machine_texts(std::span<const RunInfo* const> runs);

}  // namespace convoy::report
