// Reads weights to start from, in whatever form they are given.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "convoy/checkpoint/safetensors.h"

namespace convoy {

// `path` is a .safetensors file (one in a checkpoint is compared with the hash in the state.json beside it), a
// checkpoint's folder, or a run's folder (its best checkpoint, or the newest when there is no best). `on_note` is told
// about damaged checkpoints that were skipped. Throws DataError when there are no weights.
[[nodiscard]] TensorFile read_weights(
    const std::filesystem::path& path,
    const std::function<void(const std::string&)>& on_note = [](const std::string&) {});

}  // namespace convoy
