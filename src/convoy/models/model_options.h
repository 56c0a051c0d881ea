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
  mean_squared_error,  // of the scores and the label's one-hot row
};

// "cross-entropy", "mean-squared-error": the names users write.
[[nodiscard]] const std::vector<std::string>& loss_names();
// Throws UserError that lists the names when `name` is none of them.
[[nodiscard]] Loss loss_named(std::string_view name);

// How many filters the branches of an inception module have. The naive form has no reductions and no projection.
struct InceptionFilters {
  int one = 128;
  int three_reduce = 64;  // of the 1x1 convolution before the 3x3
  int three = 192;
  int five_reduce = 64;  // of the 1x1 convolution before the 5x5
  int five = 96;
  int pool = 64;  // of the 1x1 convolution after the pooling
};

// Reads text like "1x1=128,3x3=192,5x5=96,reduce3x3=64,reduce5x5=64,pool=64": any of these, in any order; those left
// out keep their defaults. Throws UserError for anything else.
[[nodiscard]] InceptionFilters inception_filters(std::string_view text);

struct ModelOptions {
  Shape input;      // one image, CxHxW; empty: the model's own size
  int classes = 0;  // 0: the model's own number
  Loss loss = Loss::cross_entropy;
  // The share of the target that is spread evenly over all classes, in [0, 1); only for cross-entropy.
  float label_smoothing = 0.0F;
  InceptionFilters filters = {};  // of the networks that are a single inception module
};

}  // namespace convoy
