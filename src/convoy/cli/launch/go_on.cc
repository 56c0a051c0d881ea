#include "convoy/cli/launch/go_on.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <exception>

#include "convoy/base/shell_text.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/cli/launch/launch_plan.h"
#include "convoy/record/run_record.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

// The path in the form that is easiest to read from the current folder.
std::string path_text(const fs::path& folder) {
  std::error_code failed;
  const fs::path near = fs::proximate(folder, failed);
  const bool below = !failed && !near.empty() && *near.begin() != "..";
  return (below ? near : folder).string();
}

std::int64_t step_of(const fs::path& checkpoint) {
  const std::string name = checkpoint.filename().string();
  const std::size_t digits = name.find_first_of("0123456789");
  std::int64_t step = 0;
  if (digits != std::string::npos) (void)std::from_chars(name.data() + digits, name.data() + name.size(), step);
  return step;
}

}  // namespace

std::string how_to_go_on(const fs::path& folder, std::vector<std::string> command) {
  command.insert(command.begin() + 2, {"--resume", path_text(folder)});
  const std::string text = shell_text(command);
  std::error_code missing;
  if (!fs::is_directory(folder, missing)) {
    return fmt::format("the run folder {} is not on this machine; where it is, `{}` goes on", folder.string(), text);
  }
  if (!is_run_folder(folder)) return "nothing of the run was recorded yet; start it again";
  const auto checkpoints = CheckpointStore(folder / kCheckpointsFolder).folders_newest_first();
  if (checkpoints.empty()) return fmt::format("no checkpoint was written yet; start it again with `{}`", text);
  return fmt::format("go on after step {} with `{}`", step_of(checkpoints.front()), text);
}

std::string last_step_text(const fs::path& folder) {
  try {
    if (!is_run_folder(folder)) return "";
    const RunRecord run = read_run_to_continue(folder);
    return run.steps.empty() ? "" : fmt::format("; the last step done was {}", run.steps.back().step);
  } catch (const std::exception&) {
    // If the record cannot be read, nothing is said; whoever resumes the run will be told what is wrong.
    return "";
  }
}

std::string interruption_text(const fs::path& folder, std::int64_t step, std::optional<std::int64_t> newest) {
  const std::string command = "`" + shell_text({"convoy", "train", "--resume", folder.string()}) + "`";
  if (newest == step) return fmt::format("checkpoint written; go on with {}", command);
  if (step == 0) {
    return fmt::format(
        "interrupted before the first step: nothing was trained, and there is no checkpoint; {} holds the run's "
        "settings and kernels; start it with {}",
        folder.string(), command);
  }
  const std::string end = fmt::format("interrupted after step {}; no checkpoint was written, as --keep 0 asks; ", step);
  if (!newest) return end + command + " starts again from the first step";
  return end + fmt::format("{} goes on after step {}", command, *newest);
}

}  // namespace convoy::cli
