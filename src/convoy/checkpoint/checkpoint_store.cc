#include "convoy/checkpoint/checkpoint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/folder_replacement.h"
#include "convoy/base/file/still_there.h"
#include "convoy/base/file/write_error.h"
#include "convoy/checkpoint/checkpoint_folder.h"

namespace convoy {

std::vector<std::int64_t> superseded_steps(std::vector<std::int64_t> steps, std::int64_t saved, int keep) {
  CONVOY_CHECK_LE(1, keep);
  std::ranges::sort(steps);
  const auto beyond = std::ranges::upper_bound(steps, saved);
  const auto kept = std::min<std::ptrdiff_t>(beyond - steps.begin(), keep);
  steps.erase(beyond - kept, beyond);
  return steps;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kBest = "best";
constexpr std::string_view kStep = "step-";

// The step in a folder's name, "step-000001234".
std::optional<std::int64_t> step_of(const std::string& name) {
  if (!name.starts_with(kStep)) return std::nullopt;
  std::int64_t step = 0;
  const char* end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + kStep.size(), end, step);
  if (error != std::errc() || at != end || step < 0) return std::nullopt;
  return step;
}

// The paths of the entries of a folder; none if it does not exist.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw DataError("cannot read the folder {}: {}", folder.string(), error.message());
  }
  return entries;
}

void require_whole(const fs::path& folder) {
  try {
    require_whole_checkpoint(folder);
  } catch (const DataError& error) {
    throw SystemError(fmt::format("the last checkpoint is not as it was written: {}", error.what()));
  }
}

}  // namespace

CheckpointStore::CheckpointStore(fs::path folder, OnNote on_note)
    : folder_(std::move(folder)), on_note_(std::move(on_note)) {}

void CheckpointStore::save(const Checkpoint& checkpoint, const SaveOptions& options) {
  make_place();
  tidy();
  NewFolder best(folder_ / kBest);
  NewFolder newest(step_folder(checkpoint.step));
  // Both are written before either is put in place, so that a full disk leaves everything as it was.
  if (options.best) write_checkpoint_folder(best.path(), checkpoint);
  write_checkpoint_folder(newest.path(), checkpoint);
  // The best comes first. If the process dies in between, the run goes on from an older checkpoint and may reach its
  // best again. In the other order it would go on from this checkpoint and never look for the lost best.
  if (options.best) best.put_in_place();
  newest.put_in_place();
  saved_step_ = checkpoint.step;
  saved_best_ = saved_best_ || options.best;
  discard(superseded_steps(steps(), checkpoint.step, options.keep));
}

// The folder is made only once. If it is deleted during the run, it is not made again, since it would then silently
// lack the earlier checkpoints.
void CheckpointStore::make_place() const {
  if (saved_step_) return require_still_there(folder_);
  require_still_there(folder_of(folder_));
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error) throw WriteError("make the folder", folder_, error.message());
  sync_folder(folder_of(folder_));
}

void CheckpointStore::require_there() const {
  if (saved_step_) require_whole(step_folder(*saved_step_));
  if (saved_best_) require_whole(folder_ / kBest);
}

Checkpoint CheckpointStore::latest() const {
  const std::vector<fs::path> folders = folders_newest_first();
  if (folders.empty()) throw DataError("there is no checkpoint in {}", folder_.string());
  return read_first_whole(folders, read_checkpoint_folder, on_note_);
}

std::optional<Checkpoint> CheckpointStore::latest_state() const {
  for (const fs::path& folder : folders_newest_first()) {
    try {
      return read_checkpoint_state(folder);
    } catch (const DataError&) {
      // Damage is skipped silently here; latest() reports it when the run goes on.
    }
  }
  return std::nullopt;
}

Checkpoint CheckpointStore::load_best() const {
  const std::optional<fs::path> folder = best_folder();
  if (!folder) throw DataError("there is no best checkpoint in {}", folder_.string());
  return read_checkpoint_folder(*folder);
}

void CheckpointStore::discard_after(std::int64_t step) {
  tidy();
  std::vector<std::int64_t> later = steps();
  std::erase_if(later, [&](std::int64_t one) { return one <= step; });
  discard(later);
}

std::vector<fs::path> CheckpointStore::folders_newest_first() const {
  std::vector<fs::path> folders;
  for (const std::int64_t step : steps()) folders.push_back(*find_folder(step_folder(step)));
  std::ranges::reverse(folders);
  return folders;
}

std::optional<fs::path> CheckpointStore::best_folder() const { return find_folder(folder_ / kBest); }

fs::path CheckpointStore::step_folder(std::int64_t step) const { return folder_ / fmt::format("{}{:09}", kStep, step); }

// The steps of all checkpoints, intact or not, in ascending order.
std::vector<std::int64_t> CheckpointStore::steps() const {
  std::set<std::int64_t> steps;
  for (const fs::path& entry : entries_of(folder_)) {
    const std::optional<std::int64_t> step = step_of(target_of(entry).filename());
    if (step && find_folder(step_folder(*step))) steps.insert(*step);
  }
  return {steps.begin(), steps.end()};
}

// Cleans up what a killed writer has left.
void CheckpointStore::tidy() const {
  for (const fs::path& entry : entries_of(folder_)) {
    const fs::path target = target_of(entry);
    const bool ours = target.filename() == kBest || step_of(target.filename());
    if (ours && target != entry) try_to([&] { tidy_folder(target); });
  }
}

void CheckpointStore::discard(const std::vector<std::int64_t>& steps) const {
  for (const std::int64_t step : steps) try_to([&] { delete_folder(step_folder(step)); });
}

// A checkpoint that cannot be deleted does no harm, so this only notes it.
void CheckpointStore::try_to(const std::function<void()>& tidy_up) const {
  try {
    tidy_up();
  } catch (const SystemError& error) {
    on_note_(error.what());
  }
}

}  // namespace convoy
