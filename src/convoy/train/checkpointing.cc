#include "convoy/train/checkpointing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/checkpoint/safetensors.h"
#include "convoy/optim/gradient_norm.h"
#include "convoy/train/compression_state.h"
#include "convoy/train/local_state.h"
#include "convoy/train/snapshot.h"
#include "convoy/train/weight_average.h"

namespace convoy {
namespace {

bool is_finite(ParameterStore& store) {
  return std::isfinite(gradient_norm(store.parameters())) && std::isfinite(gradient_norm(store.statistics()));
}

}  // namespace

Checkpointing::Checkpointing(CheckpointStore* store, const ModelCard& card, std::string data,
                             const CheckpointPlan& plan, nlohmann::ordered_json run)
    : store_(store), card_(card), data_(std::move(data)), plan_(plan), run_(std::move(run)) {}

void Checkpointing::on_step(const Trainer& trainer, const StepEvent& event) {
  if (saved_at_seconds_ < 0) saved_at_seconds_ = trainer.state().elapsed_seconds - event.record.times.seconds;
  // The end of an epoch is saved after its evaluation.
  if (event.step_of_epoch == event.steps_per_epoch) return;
  is_due_ |= (plan_.every_steps > 0 && event.record.step % plan_.every_steps == 0) ||
             trainer.state().elapsed_seconds - saved_at_seconds_ >= plan_.every_seconds;
  if (is_due_ && event.is_newest) save(trainer, false);
}

void Checkpointing::on_epoch(const Trainer& trainer, const EpochEvent& event) { save(trainer, event.is_best); }

void Checkpointing::on_end(const Trainer& trainer, const Outcome& /*outcome*/) {
  if (trainer.state().step > 0 && trainer.state().step != saved_step_) save(trainer, false);
  if (store_ != nullptr) store_->require_there();
}

void Checkpointing::save_average(WeightAverage& average, std::int64_t step) const {
  std::map<std::string, std::string> metadata = to_metadata(card_);
  metadata.insert({{"format", "pt"}, {"model", card_.model}, {"data", data_}, {"step", std::to_string(step)}});
  const std::filesystem::path file = store_->folder().parent_path() / kAveragedFile;
  // Written beside the old file and renamed, so that the file is always complete.
  std::filesystem::path fresh = file;
  fresh += ".new";
  write_safetensors(fresh, average.weights(), metadata);
  std::filesystem::rename(fresh, file);
}

void Checkpointing::save(const Trainer& trainer, bool is_best) {
  if (!is_finite(trainer.parts().network.parameters())) {
    throw DivergedError(fmt::format(
        "weights are not numbers any more at step {}; the last checkpoint before is kept; try a lower --lr or --clip 1",
        trainer.state().step));
  }
  if (plan_.keep == 0) {
    is_due_ = false;
    return;
  }
  gather_optimizer(trainer);
  std::vector<NamedTensor> compression = gather_compression(trainer);
  std::vector<NamedTensor> groups = gather_groups(trainer);
  if (store_ != nullptr) {
    Checkpoint checkpoint = take_snapshot(trainer, card_, data_);
    std::ranges::move(compression, std::back_inserter(checkpoint.optimizer));
    std::ranges::move(groups, std::back_inserter(checkpoint.optimizer));
    checkpoint.run = run_;
    store_->save(checkpoint, {.keep = plan_.keep, .best = is_best});
    if (trainer.average() != nullptr) save_average(*trainer.average(), checkpoint.step);
  }
  is_due_ = false;
  saved_step_ = trainer.state().step;
  saved_at_seconds_ = trainer.state().elapsed_seconds;
}

}  // namespace convoy
