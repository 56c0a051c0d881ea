// Counts how good predictions are: loss, top-1, top-5, and which classes were confused.
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

// The loss of a sample in evaluation: without the label smoothing that training may add.
enum class LossKind { cross_entropy, mean_squared_error };

// How many classes score above the true one; of equal scores, those of lower classes count as above. A score that is
// NaN is above all others, so that a diverged network does not look right.
[[nodiscard]] int rank_of_label(std::span<const float> scores, std::int32_t label);

// For how many of these rows the score of the label is the highest.
[[nodiscard]] std::int64_t count_right(std::span<const float> scores, std::span<const std::int32_t> labels);

// In double precision, from the scores of one sample.
[[nodiscard]] double sample_loss(LossKind kind, std::span<const float> scores, std::int32_t label);

class Tally {
 public:
  Tally(int classes, LossKind loss);

  // `scores` has labels.size() rows with one score per class. Throws UserError otherwise, and for labels that are not a
  // class.
  void add(std::span<const float> scores, std::span<const std::int32_t> labels);

  // Adds what another tally with the same classes and loss has counted.
  void add(const Tally& other);

  [[nodiscard]] Metrics metrics() const;

  // How many samples of class `row` were classified as class `column`.
  [[nodiscard]] std::int64_t confused(int row, int column) const;
  [[nodiscard]] int classes() const { return classes_; }

  // The share of each class that was recognised; NaN for a class without samples.
  [[nodiscard]] std::vector<double> class_accuracy() const;

  // Everything it has counted as bytes, for sending it to another rank, and back; both must have the same classes and
  // loss.
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
