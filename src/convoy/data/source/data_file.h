// Finds the files of the known data sets in the places where people have them, and names their classes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace convoy::data {

// Looks for `name` or `name`.gz in `folder` and in the folders directly below it (archives often contain a folder).
// "-idx" may also be written ".idx", as some mirrors do.
[[nodiscard]] std::optional<std::filesystem::path> find_data_file(const std::filesystem::path& folder,
                                                                  const std::string& name);

// The same, but throws DataError when there is none.
[[nodiscard]] std::filesystem::path require_data_file(const std::filesystem::path& folder, const std::string& name);

// The names of the classes, by label.
[[nodiscard]] std::vector<std::string> mnist_classes();
[[nodiscard]] std::vector<std::string> fashion_mnist_classes();
[[nodiscard]] std::vector<std::string> cifar10_classes();
[[nodiscard]] std::vector<std::string> cifar100_classes();

}  // namespace convoy::data
