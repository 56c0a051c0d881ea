// One run of a study as a process of its own: the command line of `convoy train` that does it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/study/plan/study_tasks.h"
#include "convoy/study/run/study_folder.h"

namespace convoy::cli {

// How a task begins.
enum class TaskStart : std::uint8_t { fresh, resumed };

// `program` is Convoy itself.
[[nodiscard]] std::vector<std::string> child_command(const std::string& program, const study::StudyFolder& folder,
                                                     const study::Task& task, TaskStart start);

// Whether the task goes on with what an earlier sitting, or rung, left; what cannot be used is removed. Throughput is
// measured in one go, so scale and batch studies always start afresh.
[[nodiscard]] TaskStart prepare_folder(const study::StudyFolder& folder, const study::Task& task);

// Runs it, with its output in the study's logs. `signal` is asked for one to pass on, or 0, a few times a second.
[[nodiscard]] study::RunOutcome run_child_task(const std::string& program, const study::StudyFolder& folder,
                                               const study::Task& task, const std::function<int()>& signal);

}  // namespace convoy::cli
