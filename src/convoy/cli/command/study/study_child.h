// One run of a study as a child process: the `convoy train` command line for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/study/plan/study_tasks.h"
#include "convoy/study/run/study_folder.h"

namespace convoy::cli {

// Whether a task starts anew or continues.
enum class TaskStart : std::uint8_t { fresh, resumed };

// `program` is the path of convoy itself.
[[nodiscard]] std::vector<std::string> child_command(const std::string& program, const study::StudyFolder& folder,
                                                     const study::Task& task, TaskStart start);

// Decides whether the task continues what an earlier sitting or rung left, and removes what cannot be used. Throughput
// must be measured in one go, so scale and batch studies always start anew.
[[nodiscard]] TaskStart prepare_folder(const study::StudyFolder& folder, const study::Task& task);

// Runs the task, with its output in the study's logs. `signal` is called a few times a second and returns a signal to
// pass on, or 0.
[[nodiscard]] study::RunOutcome run_child_task(const std::string& program, const study::StudyFolder& folder,
                                               const study::Task& task, const std::function<int()>& signal);

}  // namespace convoy::cli
