// Weights to start from, wherever they are.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "convoy/checkpoint/safetensors.h"

namespace convoy {

// Reads the weights in `path`: a .safetensors file (the one of a checkpoint is checked against the hash in the
// state.json beside it), a checkpoint's folder, or a run's folder (its best checkpoint, or
// the newest when there is no best). `on_note` is told about damaged checkpoints that were passed over. Throws
// DataError when there are none.
[[nodiscard]] TensorFile read_weights(
    const std::filesystem::path& path,
    const std::function<void(const std::string&)>& on_note = [](const std::string&) {});

}  // namespace convoy
