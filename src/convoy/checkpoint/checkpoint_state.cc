#include "convoy/checkpoint/checkpoint_state.h"

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/checkpoint/checkpoint_folder.h"
#include "convoy/record/json_fields.h"

namespace convoy {

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

// Takes the hash out of the text, leaving zeros.
std::string extract_hash(std::string& text) {
  if (!text.starts_with(kBeforeHash) || text.size() < kBeforeHash.size() + kHashDigits) {
    throw DataError("it is no state of a checkpoint, or cut short");
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
