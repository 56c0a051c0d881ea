// Counts how good predictions are: loss, top-1, top-5 and which class was taken for which.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace convoy {

// Means over samples; top1 and top5 are shares in [0, 1].
struct Metrics {
  double loss = 0;
  double top1 = 0;
  double top5 = 0;
  std::int64_t samples = 0;
};

// What the loss of a sample is, for evaluation: without the label smoothing that training may add.
enum class LossKind { cross_entropy, mean_squared_error };

// How many classes score above the true one; among equals the first counts as above. A score that is no number is above
// all others: a diverged network must not look right.
[[nodiscard]] int rank_of_label(std::span<const float> scores, std::int32_t label);

// How many of these rows of scores are highest at their label.
[[nodiscard]] std::int64_t count_right(std::span<const float> scores, std::span<const std::int32_t> labels);

// In double precision, from the scores of one sample.
[[nodiscard]] double sample_loss(LossKind kind, std::span<const float> scores, std::int32_t label);

class Tally {
 public:
  Tally(int classes, LossKind loss);

  // `scores` holds labels.size() rows of one score per class; else, and for labels that are no class, UserError.
  void add(std::span<const float> scores, std::span<const std::int32_t> labels);

  // What another, of the same classes and loss, has counted.
  void add(const Tally& other);

  [[nodiscard]] Metrics metrics() const;

  // Samples of class `row` that were taken for class `column`.
  [[nodiscard]] std::int64_t confused(int row, int column) const;
  [[nodiscard]] int classes() const { return classes_; }

  // The share of each class that was recognised; NaN for a class without samples.
  [[nodiscard]] std::vector<double> class_accuracy() const;

  // All it has counted as bytes, to be sent to another rank, and back: they fit classes and loss of this one.
  [[nodiscard]] std::string to_bytes() const;
  void set_bytes(const std::string& bytes);

 private:
  int classes_;
  LossKind loss_kind_;
  double loss_sum_ = 0;
  std::int64_t samples_ = 0;
  std::int64_t in_top1_ = 0;
  std::int64_t in_top5_ = 0;
  std::vector<std::int64_t> confusion_;
};

}  // namespace convoy
