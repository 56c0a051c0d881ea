// Opens a source by the name that the user gave.
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

// `written` is a name or a path (find_source in source_spec.h). Throws UserError when there is no such source
// (suggesting the nearest name) and DataError when its data is missing or corrupt.
[[nodiscard]] std::unique_ptr<Source> open_source(const std::string& written, const SourceOptions& options);

// The folder of a named data set: the one after the colon, else data_dir/NAME, else system_dir/NAME. No value when none
// of them exists.
[[nodiscard]] std::optional<std::filesystem::path> find_dataset(const SourceSpec& spec, const SourceOptions& options);

// Whether the source is a list of image files, for which a pack can be made.
[[nodiscard]] bool has_image_files(SourceKind kind);

// The list of image files. Throws DataError.
[[nodiscard]] ImageFiles list_image_files(const SourceSpec& spec, const SourceOptions& options);

// Where the cache keeps the pack of these files; it need not exist.
[[nodiscard]] std::filesystem::path cached_pack_path(const ImageFiles& files, const SourceSpec& spec,
                                                     const SourceOptions& options);

// Whether making a pack is worthwhile: there are enough images for the second epoch to make up for the first, and the
// pack takes at most a quarter of the free space.
[[nodiscard]] bool pack_pays(std::int64_t images, std::int64_t image_bytes, std::uint64_t free_bytes);

}  // namespace convoy::data
