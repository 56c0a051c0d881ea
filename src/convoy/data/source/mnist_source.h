// MNIST and Fashion-MNIST: four IDX files, gzipped or not, in one folder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "convoy/data/source/source.h"
#include "convoy/data/source/source_options.h"

namespace convoy::data {

// `name` is "mnist" or "fashion-mnist". Throws DataError when a file is missing, corrupt or does not fit the others.
[[nodiscard]] std::unique_ptr<Source> open_mnist(const std::string& name, const std::filesystem::path& folder,
                                                 const SourceOptions& options);

}  // namespace convoy::data
