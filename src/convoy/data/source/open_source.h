// Opens a source by what the user calls it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "convoy/data/source/image_files.h"
#include "convoy/data/source/source.h"
#include "convoy/data/source/source_options.h"
#include "convoy/data/source/source_spec.h"

namespace convoy::data {

// A name or a path (find_source in source_spec.h). Throws UserError when there is no such source (with the nearest
// name) and DataError when its data is missing or corrupt.
[[nodiscard]] std::unique_ptr<Source> open_source(const std::string& written, const SourceOptions& options);

// Where a named data set is: the folder behind the colon, else data_dir/NAME, else system_dir/NAME; nothing when none
// of them exists.
[[nodiscard]] std::optional<std::filesystem::path> find_dataset(const SourceSpec& spec, const SourceOptions& options);

// Whether the source is a list of image files, which can be packed.
[[nodiscard]] bool has_image_files(SourceKind kind);

// That list. Throws DataError.
[[nodiscard]] ImageFiles list_image_files(const SourceSpec& spec, const SourceOptions& options);

// The pack of these files in the cache, which need not exist.
[[nodiscard]] std::filesystem::path cached_pack_path(const ImageFiles& files, const SourceSpec& spec,
                                                     const SourceOptions& options);

// Whether making a pack pays: enough images for the second epoch to win back the first, and no more than a quarter of
// the space that is free.
[[nodiscard]] bool pack_pays(std::int64_t images, std::int64_t image_bytes, std::uint64_t free_bytes);

}  // namespace convoy::data
