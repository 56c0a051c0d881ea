// What `convoy doctor` examines, and its conclusions.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/machine.h"
#include "convoy/base/version.h"
#include "convoy/kernels/backend_info.h"

namespace convoy::cli {

struct Checkup {
  BuildInfo build;
  kernels::BackendInfo backend;
  Machine machine;
  std::optional<std::string> omp_num_threads;  // the variable's text, if it is set
  std::filesystem::path cache_folder;          // empty when there is none
  bool cache_is_writable = true;
  std::filesystem::path mpirun;  // that starts workers; empty when there is none in PATH
};

// Examines this build, machine and environment.
[[nodiscard]] Checkup examine();

// What is wrong, one sentence each, with what to do about it. Depends only on its argument.
[[nodiscard]] std::vector<std::string> problems_of(const Checkup& checkup);

}  // namespace convoy::cli
