// The result of an evaluation, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "convoy/train/tally.h"

namespace convoy::cli {

class EvaluationReport {
 public:
  // Both must outlive it.
  EvaluationReport(const Tally& tally, const std::vector<std::string>& classes) : tally_(tally), classes_(classes) {}

  // Totals, classes from worst to best, and which classes are confused most often.
  [[nodiscard]] std::string text() const;
  // One JSON object: samples, loss, top1, top5, error, classes with accuracy, the confusion matrix.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] std::string class_table() const;
  [[nodiscard]] std::string confusion_table() const;

  const Tally& tally_;
  const std::vector<std::string>& classes_;
};

}  // namespace convoy::cli
