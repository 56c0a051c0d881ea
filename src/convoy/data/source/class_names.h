// The names of the classes of the known data sets, by label.
#pragma once

#include <string>
#include <vector>

namespace convoy::data {

[[nodiscard]] std::vector<std::string> mnist_classes();
[[nodiscard]] std::vector<std::string> fashion_mnist_classes();
[[nodiscard]] std::vector<std::string> cifar10_classes();
[[nodiscard]] std::vector<std::string> cifar100_classes();

}  // namespace convoy::data
