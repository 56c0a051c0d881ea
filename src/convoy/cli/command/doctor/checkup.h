// What `convoy doctor` looks at, and its judgement.
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
};

// Looks at this build, machine and environment.
[[nodiscard]] Checkup examine();

// What is wrong, a sentence each, with what to do about it. Depends on nothing but its argument.
[[nodiscard]] std::vector<std::string> problems_of(const Checkup& checkup);

}  // namespace convoy::cli
