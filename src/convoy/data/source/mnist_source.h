// MNIST and Fashion-MNIST: four IDX files, gzipped or not, in one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/data/byte_file.h"
#include "convoy/data/source/source.h"
#include "convoy/data/source/source_options.h"

namespace convoy::data {

// The IDX format of MNIST: a magic number, extents in big-endian order, then bytes.
struct IdxArray {
  std::vector<std::int64_t> dims;
  Bytes values;              // row-major
  std::int64_t missing = 0;  // how many entries along the first dimension are missing from a file that was cut short
};

struct IdxOptions {
  int rank = 1;                // how many extents the file must have: 1 for labels, 3 for images
  bool allow_missing = false;  // use the complete entries of a file that was cut short, instead of throwing
};

// Throws DataError with `name` and the offset unless the bytes are an IDX array of unsigned bytes of that rank.
[[nodiscard]] IdxArray parse_idx(Bytes bytes, std::string_view name, const IdxOptions& options);

// `name` is "mnist" or "fashion-mnist". Throws DataError when a file is missing, corrupt or does not fit the others.
[[nodiscard]] std::unique_ptr<Source> open_mnist(const std::string& name, const std::filesystem::path& folder,
                                                 const SourceOptions& options);

}  // namespace convoy::data
