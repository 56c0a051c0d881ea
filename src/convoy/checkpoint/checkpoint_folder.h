// One checkpoint on disk: a folder with weights.safetensors, optimizer.safetensors and state.json, which holds the
// hashes of the other two and of itself. So any changed byte in any of them is noticed when it is read.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/checkpoint/checkpoint.h"
#include "convoy/checkpoint/file_digest.h"
#include "convoy/checkpoint/safetensors.h"

namespace convoy {

inline constexpr int kCheckpointSchema = 1;

inline constexpr const char* kWeightsFile = "weights.safetensors";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";
inline constexpr const char* kStateFile = "state.json";

// Makes the folder, which must not exist, and writes the files, state.json last. All files and the folder are synced to
// the disk. Throws SystemError, and leaves behind what it has written.
void write_checkpoint_folder(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// Throws DataError with the file when anything is missing or differs from what was written, UserError for a checkpoint
// that is newer than this version of Convoy.
[[nodiscard]] Checkpoint read_checkpoint_folder(const std::filesystem::path& folder);

// The same without the tensors: their files are not read.
[[nodiscard]] Checkpoint read_checkpoint_state(const std::filesystem::path& folder);

// Checks that all files are as they were written, without keeping the tensors. Throws DataError with the file that is
// not.
void require_whole_checkpoint(const std::filesystem::path& folder);

// As read_checkpoint_folder(), but only the weights; the optimizer's file is not read.
[[nodiscard]] TensorFile read_checkpoint_weights(const std::filesystem::path& folder);

// Whether the folder looks like a checkpoint: it has a state.json.
[[nodiscard]] bool is_checkpoint_folder(const std::filesystem::path& folder);

// The contents of a checkpoint's state.json: everything except the tensors, and the digests that show whether the files
// are as they were written.
struct CheckpointState {
  Checkpoint checkpoint;  // without tensors
  FileDigest weights;     // digests of the other two files
  FileDigest optimizer;
};

// The text begins with its own hash, which is computed with zeros in the hash's place. Later versions must keep that
// beginning. The checkpoint's tensors are not used.
[[nodiscard]] std::string checkpoint_state_text(const Checkpoint& checkpoint, const FileDigest& weights,
                                                const FileDigest& optimizer);

// Throws DataError when the text differs from what was written, UserError when it is of a newer version.
[[nodiscard]] CheckpointState parse_checkpoint_state(std::string text);

// Finds the first of several checkpoints that is undamaged, with notes about those before it.

// Returns what `read` returns for the first folder for which it does not throw DataError. If there is none, throws
// DataError about the first folder; `folders` must not be empty.
template <typename Read>
auto read_first_whole(std::span<const std::filesystem::path> folders, Read read,
                      const std::function<void(const std::string&)>& on_note) {
  std::vector<std::string> damages;
  for (const std::filesystem::path& folder : folders) {
    try {
      auto result = read(folder);
      for (const std::string& damage : damages) {
        on_note(fmt::format("a checkpoint is damaged, so {} is used instead ({})", folder.string(), damage));
      }
      return result;
    } catch (const DataError& error) {
      damages.emplace_back(error.what());
    }
  }
  throw DataError("none of {} checkpoints can be read; the first: {}", damages.size(), damages.at(0));
}

}  // namespace convoy
