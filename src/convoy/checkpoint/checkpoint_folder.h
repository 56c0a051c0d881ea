// One checkpoint on disk: a folder with weights.safetensors, optimizer.safetensors and state.json, which holds the
// hashes of the other two and its own. Any changed byte in any of them is found when it is read.
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

// Makes the folder, which must not exist, and writes the files, state.json last, each synced to the disk and the folder
// too. Throws SystemError and leaves what it has written.
void write_checkpoint_folder(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// Throws DataError with the file when anything is missing or is not what was written, UserError for a checkpoint newer
// than this version of Convoy knows.
[[nodiscard]] Checkpoint read_checkpoint_folder(const std::filesystem::path& folder);

// The same without tensors, whose files are not looked at.
[[nodiscard]] Checkpoint read_checkpoint_state(const std::filesystem::path& folder);

// Whether its files are all as they were written; their tensors are not kept. Throws DataError with the file that is
// not.
void require_whole_checkpoint(const std::filesystem::path& folder);

// As read_checkpoint_folder(), for its weights alone; the optimizer's file is not looked at.
[[nodiscard]] TensorFile read_checkpoint_weights(const std::filesystem::path& folder);

// Whether the folder looks like a checkpoint: it has a state.json.
[[nodiscard]] bool is_checkpoint_folder(const std::filesystem::path& folder);

// state.json of a checkpoint: everything but the tensors, and what tells whether all is as it was written.
struct CheckpointState {
  Checkpoint checkpoint;  // without tensors
  FileDigest weights;     // of the files beside
  FileDigest optimizer;
};

// The text begins with the hash of itself, taken while the place of the hash held zeros. Later versions must keep that
// beginning. The checkpoint's tensors are not looked at.
[[nodiscard]] std::string checkpoint_state_text(const Checkpoint& checkpoint, const FileDigest& weights,
                                                const FileDigest& optimizer);

// Throws DataError when the text is not what was written, UserError when it is of a newer version.
[[nodiscard]] CheckpointState parse_checkpoint_state(std::string text);

// The first of several checkpoints that is whole, with notes about those that are not.

// What `read` makes of the first folder for which it does not throw DataError. Throws DataError, with what is wrong
// with the first, when there is none; `folders` is not empty.
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
