// CIFAR-10 and CIFAR-100 in their binary version, gzipped or not.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "convoy/data/source/source.h"
#include "convoy/data/source/source_options.h"

namespace convoy::data {

// `name` is "cifar10" or "cifar100". A folder with only some of CIFAR-10's five training batches will do, with a note;
// one training and the test file have to be there. Throws DataError otherwise, and when a file is corrupt.
[[nodiscard]] std::unique_ptr<Source> open_cifar(const std::string& name, const std::filesystem::path& folder,
                                                 const SourceOptions& options);

}  // namespace convoy::data
