// What lies at a path that a user gave instead of a name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace convoy::data {

// The specification (source_spec.h) for it: of a data set in its published layout ("cifar10:PATH"), else "folder:PATH"
// or, for a file, "pack:PATH"; nothing when there is nothing. MNIST and Fashion-MNIST look the same; it is the latter
// when the path says "fashion".
[[nodiscard]] std::optional<std::string> spec_of_path(const std::filesystem::path& path);

}  // namespace convoy::data
