// What can be chosen about a network of the zoo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/graph/graph.h"

namespace convoy {

// The losses a classifier of the zoo can be trained with.
enum class Loss {
  cross_entropy,       // softmax and cross-entropy with the label
  mean_squared_error,  // of the scores against the label's one-hot row
};

// "cross-entropy", "mean-squared-error": the names users write.
[[nodiscard]] const std::vector<std::string>& loss_names();
// Throws UserError listing the names when `name` is none of them.
[[nodiscard]] Loss loss_named(std::string_view name);

// How many filters the branches of an inception module have. The naive form has no reductions and no projection.
struct InceptionFilters {
  int one = 128;
  int three_reduce = 64;  // 1x1 before the 3x3
  int three = 192;
  int five_reduce = 64;  // 1x1 before the 5x5
  int five = 96;
  int pool = 64;  // 1x1 after the pool
};

// "1x1=128,3x3=192,5x5=96,reduce3x3=64,reduce5x5=64,pool=64": any of these, in any order; the rest stays as it is.
// Throws UserError for what is none of them.
[[nodiscard]] InceptionFilters inception_filters(std::string_view text);

struct ModelOptions {
  Shape input;      // one image, CxHxW; empty: the model's own size
  int classes = 0;  // 0: the model's own number
  Loss loss = Loss::cross_entropy;
  // The share of the target spread evenly over all classes, in [0, 1); of cross-entropy only.
  float label_smoothing = 0.0F;
  InceptionFilters filters = {};  // of the single inception modules
};

}  // namespace convoy
