// The checkpoints of a run: step-000001234/ and so on, and best/. However a writer ends, earlier checkpoints can be
// read.
//
//   CheckpointStore store(run_folder / kCheckpointsFolder, [](const std::string& note) { log(note); });
//   store.save(checkpoint, {.keep = 2, .best = improved});
//   ...
//   store.require_there();  // at the end: what was saved is still there
//
// and to go on:
//
//   const Checkpoint checkpoint = store.latest();
//   RunWriter writer = RunWriter::continue_from(run_folder, info, checkpoint.step);
//   store.discard_after(checkpoint.step);
//
// With several ranks only rank 0 saves; any rank may load. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "convoy/checkpoint/checkpoint.h"

namespace convoy {

// Which of these checkpoints to delete after the one of step `saved` was saved: all but the newest `keep` up to it, and
// all later ones, which the run left behind when it went back to an older checkpoint. `keep` is at least one.
[[nodiscard]] std::vector<std::int64_t> superseded_steps(std::vector<std::int64_t> steps, std::int64_t saved, int keep);

inline constexpr const char* kCheckpointsFolder = "checkpoints";  // in the folder of a run

struct SaveOptions {
  int keep = 2;  // how many of the newest to keep, at least one. With two, a damaged one costs an interval and not the
                 // whole run.
  bool best = false;  // also replace best/ by this one
};

class CheckpointStore {
 public:
  using OnNote = std::function<void(const std::string&)>;

  // `folder` need not exist yet, but the run's folder around it must exist when something is saved. `on_note` gets one
  // sentence for each damaged checkpoint that is skipped and each old one that cannot be deleted.
  explicit CheckpointStore(
      std::filesystem::path folder, OnNote on_note = [](const std::string&) {});

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  // Saves the checkpoint to the disk, then deletes old ones that are no longer needed, and those of later steps, which
  // the run left behind when it went back to an older checkpoint. Throws SystemError if saving fails, for example on a
  // full disk; then no earlier checkpoint is lost and nothing half-written remains.
  void save(const Checkpoint& checkpoint, const SaveOptions& options);

  // Throws SystemError with the file unless the last checkpoint that this object saved, and the last best one, are
  // intact on the disk.
  void require_there() const;

  // The newest intact checkpoint; each damaged one that is newer causes a note. Throws DataError when none is intact.
  [[nodiscard]] Checkpoint latest() const;

  // The newest checkpoint whose state is intact, without its tensors, whose files are not read. No value when there is
  // none.
  [[nodiscard]] std::optional<Checkpoint> latest_state() const;

  // Throws DataError when there is no best checkpoint or it is damaged.
  [[nodiscard]] Checkpoint load_best() const;

  // Whether there are no checkpoints at all, intact or damaged.
  [[nodiscard]] bool empty() const { return folders_newest_first().empty(); }
  [[nodiscard]] bool has_best() const { return best_folder().has_value(); }

  // Deletes checkpoints of later steps: after going on from an older one they would be mistaken for the newest.
  void discard_after(std::int64_t step);

  // The folders as they are on the disk: a checkpoint whose replacement was interrupted may be under the name it was
  // moved to.
  [[nodiscard]] std::vector<std::filesystem::path> folders_newest_first() const;
  [[nodiscard]] std::optional<std::filesystem::path> best_folder() const;

 private:
  [[nodiscard]] std::filesystem::path step_folder(std::int64_t step) const;
  [[nodiscard]] std::vector<std::int64_t> steps() const;
  void tidy() const;
  void discard(const std::vector<std::int64_t>& steps) const;
  void make_place() const;
  void try_to(const std::function<void()>& tidy_up) const;

  std::filesystem::path folder_;
  OnNote on_note_;
  std::optional<std::int64_t> saved_step_;
  bool saved_best_ = false;
};

}  // namespace convoy
