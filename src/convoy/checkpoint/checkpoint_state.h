// state.json of a checkpoint: everything but the tensors, and what tells whether all is as it was written.
#pragma once

#include <string>
#include <string_view>

#include "convoy/checkpoint/checkpoint.h"
#include "convoy/checkpoint/file_digest.h"

namespace convoy {

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

}  // namespace convoy
