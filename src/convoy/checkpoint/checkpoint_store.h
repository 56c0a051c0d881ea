// The checkpoints of a run: step-000001234/ and so on, and best/. However a writer ends, what was saved before can be
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

// Of the checkpoints of these steps, after the one of step `saved` was saved: all but the newest `keep` up to it, and
// all beyond it, which belong to a past that was given up. `keep` is at least one.
[[nodiscard]] std::vector<std::int64_t> superseded_steps(std::vector<std::int64_t> steps, std::int64_t saved, int keep);

inline constexpr const char* kCheckpointsFolder = "checkpoints";  // in a run's folder

struct SaveOptions {
  int keep = 2;       // of the newest; at least one. With two, a damaged one costs an interval and not the run.
  bool best = false;  // replace best/ by this one too
};

class CheckpointStore {
 public:
  using OnNote = std::function<void(const std::string&)>;

  // `folder` need not exist yet, but the run's folder around it has to when something is saved. `on_note` is told, a
  // sentence each, about checkpoints that are damaged and passed over, and old ones that cannot be deleted.
  explicit CheckpointStore(
      std::filesystem::path folder, OnNote on_note = [](const std::string&) {});

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  // Saves the checkpoint, on the disk when this returns, and then deletes those that are too many; also those of later
  // steps, which belong to a past that was given up. Throws SystemError when it cannot, a full disk say, and then no
  // earlier checkpoint is lost and nothing half-written remains.
  void save(const Checkpoint& checkpoint, const SaveOptions& options);

  // Throws SystemError with the file unless what this object saved last, and last as the best, is on the disk and
  // whole.
  void require_there() const;

  // The newest that is whole; a note tells of each newer one that is not. Throws DataError when none is.
  [[nodiscard]] Checkpoint latest() const;

  // The newest whose state is whole, without its tensors, whose files are not looked at; nothing when there is none.
  [[nodiscard]] std::optional<Checkpoint> latest_state() const;

  // Throws DataError when there is none that is whole.
  [[nodiscard]] Checkpoint load_best() const;

  // Whether there are any, whole or not.
  [[nodiscard]] bool empty() const { return folders_newest_first().empty(); }
  [[nodiscard]] bool has_best() const { return best_folder().has_value(); }

  // Deletes checkpoints of later steps: after going on from an older one they would be taken for the newest.
  void discard_after(std::int64_t step);

  // Where they are: in the folder of its name or, when its replacement was interrupted, in the one it had been moved
  // to.
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
