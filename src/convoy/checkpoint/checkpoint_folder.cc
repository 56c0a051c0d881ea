#include "convoy/checkpoint/checkpoint_folder.h"

#include <system_error>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/file/output_file.h"
#include "convoy/base/file/write_error.h"
#include "convoy/record/json_fields.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

void make_new_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directory(folder, error);
  if (!made && !error) error = std::make_error_code(std::errc::file_exists);
  if (error) throw WriteError("make the folder", folder, error.message());
}

// "pt" tells other readers that names and layouts are PyTorch's.
std::map<std::string, std::string> metadata_of(const Checkpoint& checkpoint) {
  std::map<std::string, std::string> metadata = checkpoint.weights_metadata;
  metadata["format"] = "pt";
  metadata["model"] = checkpoint.model;
  metadata["data"] = checkpoint.data;
  metadata["step"] = std::to_string(checkpoint.step);
  return metadata;
}

CheckpointState read_state(const fs::path& folder) {
  const fs::path path = folder / kStateFile;
  std::string text = read_file(path);
  try {
    return parse_checkpoint_state(std::move(text));
  } catch (const DataError& error) {
    throw DataError("{}: {}", path.string(), error.what());
  } catch (const UserError& error) {
    throw UserError("{}: {}", path.string(), error.what());
  }
}

void require_as_written(const fs::path& path, const FileDigest& expected) {
  const FileDigest found = digest_of_file(path);
  if (found.bytes != expected.bytes) {
    throw DataError("{}: it has {} bytes and had {} when it was written", path.string(), found.bytes, expected.bytes);
  }
  if (found.hash != expected.hash) throw DataError("{}: it was altered: its hash is not the one it had", path.string());
}

TensorFile read_verified(const fs::path& path, const FileDigest& expected) {
  require_as_written(path, expected);
  return read_safetensors(path);
}

}  // namespace

void write_checkpoint_folder(const fs::path& folder, const Checkpoint& checkpoint) {
  make_new_folder(folder);
  const FileDigest weights = write_safetensors(folder / kWeightsFile, checkpoint.weights, metadata_of(checkpoint));
  const FileDigest optimizer = write_safetensors(folder / kOptimizerFile, checkpoint.optimizer);
  OutputFile file(folder / kStateFile, OutputFile::Start::fresh);
  file.write(checkpoint_state_text(checkpoint, weights, optimizer));
  file.sync();
  sync_folder(folder);
}

Checkpoint read_checkpoint_folder(const fs::path& folder) {
  CheckpointState state = read_state(folder);
  Checkpoint checkpoint = std::move(state.checkpoint);
  checkpoint.weights = read_verified(folder / kWeightsFile, state.weights).tensors;
  checkpoint.optimizer = read_verified(folder / kOptimizerFile, state.optimizer).tensors;
  return checkpoint;
}

Checkpoint read_checkpoint_state(const fs::path& folder) { return read_state(folder).checkpoint; }

void require_whole_checkpoint(const fs::path& folder) {
  const CheckpointState state = read_state(folder);
  require_as_written(folder / kWeightsFile, state.weights);
  require_as_written(folder / kOptimizerFile, state.optimizer);
}

TensorFile read_checkpoint_weights(const fs::path& folder) {
  return read_verified(folder / kWeightsFile, read_state(folder).weights);
}

bool is_checkpoint_folder(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kStateFile, error);
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBeforeHash = "{\n \"hash\": \"";
constexpr std::size_t kHashDigits = 32;
const std::string kNoHash(kHashDigits, '0');

Json to_json(const FileDigest& digest) { return {{"bytes", digest.bytes}, {"hash", digest.hash}}; }

FileDigest file_digest_from(const Json& json) {
  FileDigest digest;
  read_field(json, "bytes", digest.bytes);
  read_field(json, "hash", digest.hash);
  return digest;
}

Json to_json(const Checkpoint& checkpoint, const FileDigest& weights, const FileDigest& optimizer) {
  Json json = {{"hash", kNoHash},
               {"schema", kCheckpointSchema},
               {"model", checkpoint.model},
               {"data", checkpoint.data},
               {"epoch", checkpoint.epoch},
               {"step", checkpoint.step},
               {"optimizer_steps", checkpoint.optimizer_steps}};
  if (checkpoint.best_metric) json["best_metric"] = json_number(*checkpoint.best_metric);
  json["weights"] = to_json(weights);
  json["optimizer"] = to_json(optimizer);
  json["training"] = checkpoint.training;
  if (!checkpoint.run.is_null()) json["run"] = checkpoint.run;
  return json;
}

CheckpointState state_from(const Json& json) {
  require_schema(json, kCheckpointSchema);
  CheckpointState state;
  Checkpoint& checkpoint = state.checkpoint;
  read_field(json, "model", checkpoint.model);
  read_field(json, "data", checkpoint.data);
  read_field(json, "epoch", checkpoint.epoch);
  read_field(json, "step", checkpoint.step);
  read_field(json, "optimizer_steps", checkpoint.optimizer_steps);
  read_field(json, "best_metric", checkpoint.best_metric);
  state.weights = file_digest_from(json_field(json, "weights"));
  state.optimizer = file_digest_from(json_field(json, "optimizer"));
  checkpoint.training = json_field(json, "training");
  if (json.contains("run")) checkpoint.run = json_field(json, "run");
  return state;
}

// Takes the hash out of the text and puts zeros in its place.
std::string extract_hash(std::string& text) {
  if (!text.starts_with(kBeforeHash) || text.size() < kBeforeHash.size() + kHashDigits) {
    throw DataError("it is not a state of a checkpoint, or cut short");
  }
  std::string hash = text.substr(kBeforeHash.size(), kHashDigits);
  text.replace(kBeforeHash.size(), kHashDigits, kNoHash);
  return hash;
}

}  // namespace

std::string checkpoint_state_text(const Checkpoint& checkpoint, const FileDigest& weights,
                                  const FileDigest& optimizer) {
  std::string text = json_file_text(to_json(checkpoint, weights, optimizer));
  CONVOY_CHECK(text.starts_with(std::string(kBeforeHash) + kNoHash));
  return text.replace(kBeforeHash.size(), kHashDigits, digest_of(text).hash);
}

CheckpointState parse_checkpoint_state(std::string text) {
  const std::string hash = extract_hash(text);
  if (digest_of(text).hash != hash) throw DataError("it was altered or cut short: its hash is not the one it had");
  return state_from(parse_json(text));
}

}  // namespace convoy
