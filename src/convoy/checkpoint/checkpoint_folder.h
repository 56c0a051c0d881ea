// One checkpoint on disk: a folder with weights.safetensors, optimizer.safetensors and state.json, which holds the
// hashes of the other two and its own. Any changed byte in any of them is found when it is read.
#pragma once

#include <filesystem>

#include "convoy/checkpoint/checkpoint.h"
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

}  // namespace convoy
