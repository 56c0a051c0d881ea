#include "convoy/checkpoint/weights.h"

#include <system_error>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/file/folder.h"
#include "convoy/checkpoint/checkpoint_folder.h"
#include "convoy/checkpoint/checkpoint_store.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_weights_of_checkpoint(const fs::path& path) {
  return path.filename() == kWeightsFile && is_checkpoint_folder(folder_of(path));
}

// The checkpoints of a run's folder or of a checkpoints folder: first the best, then the newest.
std::vector<fs::path> candidates_in(const fs::path& folder) {
  const fs::path inside = folder / kCheckpointsFolder;
  const CheckpointStore store(is_folder(inside) ? inside : folder);
  std::vector<fs::path> folders = store.folders_newest_first();
  if (const auto best = store.best_folder()) folders.insert(folders.begin(), *best);
  return folders;
}

}  // namespace

TensorFile read_weights(const fs::path& path, const std::function<void(const std::string&)>& on_note) {
  if (is_weights_of_checkpoint(path)) return read_checkpoint_weights(folder_of(path));
  if (!is_folder(path)) return read_safetensors(path);
  if (is_checkpoint_folder(path)) return read_checkpoint_weights(path);
  const std::vector<fs::path> folders = candidates_in(path);
  if (folders.empty()) {
    throw DataError("{} holds no weights: give a .safetensors file, the folder of a checkpoint or the folder of a run",
                    path.string());
  }
  return read_first_whole(folders, read_checkpoint_weights, on_note);
}

}  // namespace convoy
