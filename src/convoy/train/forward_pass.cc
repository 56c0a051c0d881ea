#include "convoy/train/forward_pass.h"

#include <algorithm>

#include "convoy/base/clock.h"
#include "convoy/train/tally.h"

namespace convoy {

void ForwardPass::run(const data::Batch& batch, std::size_t first, std::size_t rows, const StepInfo& info,
                      const ParameterNeeded& need, StepMetrics& done) {
  Network& network = parts_.network;
  network.use_batch(static_cast<std::int64_t>(rows));
  const auto image = batch.images.size() / batch.labels.size();
  const auto labels = batch.labels.subspan(first, rows);
  const auto seconds = batch.second_labels.subspan(first, rows);
  std::ranges::copy(batch.images.subspan(first * image, rows * image), network.input().begin());
  std::ranges::copy(labels, network.labels().begin());
  std::ranges::transform(seconds, network.other_labels().begin(), [](const data::SecondLabel& second) {
    return OtherLabel{.label = second.label, .share = second.share};
  });
  const auto begin = Clock::now();
  network.forward(info, nullptr, need);
  if (parts_.timeline != nullptr) parts_.timeline->add(Lane::compute, "forward", begin);
  done.loss_sum += network.loss() * static_cast<double>(rows);
  done.right += count_right(network.logits(), leading_labels(labels, seconds));
}

// For each sample the class with the larger share, by which accuracy is measured.
std::span<const std::int32_t> ForwardPass::leading_labels(std::span<const std::int32_t> labels,
                                                          std::span<const data::SecondLabel> seconds) {
  leading_labels_.assign(labels.begin(), labels.end());
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (seconds[n].share > 0.5F) leading_labels_[n] = seconds[n].label;
  }
  return leading_labels_;
}

}  // namespace convoy
