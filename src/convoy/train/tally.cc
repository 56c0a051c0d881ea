#include "convoy/train/tally.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "convoy/base/check.h"
#include "convoy/base/error.h"

namespace convoy {
namespace {

double cross_entropy(std::span<const float> scores, std::int32_t label) {
  const double top = *std::ranges::max_element(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(static_cast<double>(score) - top);
  return std::log(sum) + top - static_cast<double>(scores[static_cast<std::size_t>(label)]);
}

double mean_squared_error(std::span<const float> scores, std::int32_t label) {
  double sum = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double target = static_cast<std::int32_t>(k) == label ? 1 : 0;
    sum += (static_cast<double>(scores[k]) - target) * (static_cast<double>(scores[k]) - target);
  }
  return sum / static_cast<double>(scores.size());
}

struct Totals {
  double loss;
  std::int64_t samples, in_top1, in_top5;
};

}  // namespace

int rank_of_label(std::span<const float> scores, std::int32_t label) {
  const auto true_class = static_cast<std::size_t>(label);
  int above = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const bool is_below = scores[k] < scores[true_class] || (scores[k] == scores[true_class] && k > true_class);
    above += k != true_class && !is_below ? 1 : 0;
  }
  return std::isnan(scores[true_class]) ? static_cast<int>(scores.size()) : above;
}

std::int64_t count_right(std::span<const float> scores, std::span<const std::int32_t> labels) {
  const std::size_t classes = scores.size() / labels.size();
  std::int64_t right = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    right += rank_of_label(scores.subspan(n * classes, classes), labels[n]) == 0 ? 1 : 0;
  }
  return right;
}

double sample_loss(LossKind kind, std::span<const float> scores, std::int32_t label) {
  return kind == LossKind::cross_entropy ? cross_entropy(scores, label) : mean_squared_error(scores, label);
}

Tally::Tally(int classes, LossKind loss)
    : classes_(classes), loss_kind_(loss), confusion_(static_cast<std::size_t>(classes) * classes) {}

void Tally::add(std::span<const float> scores, std::span<const std::int32_t> labels) {
  const auto width = static_cast<std::size_t>(classes_);
  if (scores.size() != labels.size() * width) {
    throw UserError("{} samples of {} classes have {} scores, got {}", labels.size(), classes_, labels.size() * width,
                    scores.size());
  }
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (labels[n] < 0 || labels[n] >= classes_) {
      throw UserError("sample {} has label {}, but there are {} classes", n, labels[n], classes_);
    }
    const auto row = scores.subspan(n * width, width);
    const int rank = rank_of_label(row, labels[n]);
    in_top1_ += rank < 1 ? 1 : 0;
    in_top5_ += rank < 5 ? 1 : 0;
    loss_sum_ += sample_loss(loss_kind_, row, labels[n]);
    const auto taken_for = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    ++confusion_[static_cast<std::size_t>(labels[n]) * width + taken_for];
  }
  samples_ += static_cast<std::int64_t>(labels.size());
}

void Tally::add(const Tally& other) {
  CONVOY_CHECK_EQ(classes_, other.classes_);
  samples_ += other.samples_;
  in_top1_ += other.in_top1_;
  in_top5_ += other.in_top5_;
  loss_sum_ += other.loss_sum_;
  for (std::size_t i = 0; i < confusion_.size(); ++i) confusion_[i] += other.confusion_[i];
}

std::string Tally::to_bytes() const {
  const Totals totals{loss_sum_, samples_, in_top1_, in_top5_};
  std::string bytes(sizeof(totals) + confusion_.size() * sizeof(confusion_[0]), '\0');
  std::memcpy(bytes.data(), &totals, sizeof(totals));
  std::memcpy(bytes.data() + sizeof(totals), confusion_.data(), bytes.size() - sizeof(totals));
  return bytes;
}

void Tally::set_bytes(const std::string& bytes) {
  Totals totals{};
  CONVOY_CHECK_EQ(bytes.size(), sizeof(totals) + confusion_.size() * sizeof(confusion_[0]));
  std::memcpy(&totals, bytes.data(), sizeof(totals));
  std::memcpy(confusion_.data(), bytes.data() + sizeof(totals), bytes.size() - sizeof(totals));
  loss_sum_ = totals.loss;
  samples_ = totals.samples;
  in_top1_ = totals.in_top1;
  in_top5_ = totals.in_top5;
}

Metrics Tally::metrics() const {
  const auto share = [this](double sum) {
    return samples_ > 0 ? sum / static_cast<double>(samples_) : std::numeric_limits<double>::quiet_NaN();
  };
  return {.loss = share(loss_sum_),
          .top1 = share(static_cast<double>(in_top1_)),
          .top5 = share(static_cast<double>(in_top5_)),
          .samples = samples_};
}

std::int64_t Tally::confused(int row, int column) const {
  return confusion_[static_cast<std::size_t>(row) * static_cast<std::size_t>(classes_) +
                    static_cast<std::size_t>(column)];
}

std::vector<double> Tally::class_accuracy() const {
  std::vector<double> shares;
  for (int row = 0; row < classes_; ++row) {
    std::int64_t all = 0;
    for (int column = 0; column < classes_; ++column) all += confused(row, column);
    shares.push_back(all > 0 ? static_cast<double>(confused(row, row)) / static_cast<double>(all)
                             : std::numeric_limits<double>::quiet_NaN());
  }
  return shares;
}

}  // namespace convoy
