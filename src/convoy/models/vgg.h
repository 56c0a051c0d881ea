// VGG (Simonyan and Zisserman 2014) without batch norm, with torchvision's names.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// The first dense layer takes what five poolings leave of the image: 7x7 of 224x224.
[[nodiscard]] Graph vgg11(const ModelOptions& options);
[[nodiscard]] Graph vgg13(const ModelOptions& options);
[[nodiscard]] Graph vgg16(const ModelOptions& options);
[[nodiscard]] Graph vgg19(const ModelOptions& options);

}  // namespace convoy
