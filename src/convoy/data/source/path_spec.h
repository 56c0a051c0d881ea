// What a user wrote to name data, be it a name or a path: the one way in which all commands understand it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "convoy/data/source/source_spec.h"

namespace convoy::data {

// The specification (source_spec.h) for it: of a data set in its published layout ("cifar10:PATH"), else "folder:PATH"
// or, for a file, "pack:PATH"; nothing when there is nothing. MNIST and Fashion-MNIST look the same; it is the latter
// when the path says "fashion".
[[nodiscard]] std::optional<std::string> spec_of_path(const std::filesystem::path& path);

// `written` with what it names spelt out: as parse_source_spec() when it begins with a known name, else what lies at
// that path. Throws UserError like that function, and DataError for a path where nothing is.
[[nodiscard]] SourceSpec find_source(const std::string& written);

}  // namespace convoy::data
