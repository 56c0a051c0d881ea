// What a user writes to name data: "cifar10", "mnist:/some/folder", "folder:photos", "synthetic:3x32x32,count=1000".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::data {

enum class SourceKind { mnist, fashion_mnist, cifar10, cifar100, tiny_imagenet, folder, pack, synthetic };

struct SourceSpec {
  SourceKind kind = SourceKind::mnist;
  std::string name;      // the part before the colon
  std::string argument;  // the part behind it; a path but for synthetic data
  std::string text;      // all of it
};

// Throws UserError with the nearest name when there is no such source, or when a folder, pack or synthetic source lacks
// its argument.
[[nodiscard]] SourceSpec parse_source_spec(std::string_view text);

// Everything that may stand before the colon.
[[nodiscard]] std::vector<std::string> source_names();

// The names of data sets that are installed under a data folder: "mnist", ...
[[nodiscard]] std::vector<std::string> dataset_names();

// A name or a path, as a user wrote it: the one way in which all commands understand it.

// The specification for it: of a data set in its published layout ("cifar10:PATH"), else "folder:PATH"
// or, for a file, "pack:PATH"; nothing when there is nothing. MNIST and Fashion-MNIST look the same; it is the latter
// when the path says "fashion".
[[nodiscard]] std::optional<std::string> spec_of_path(const std::filesystem::path& path);

// `written` with what it names spelt out: as parse_source_spec() when it begins with a known name, else what lies at
// that path. Throws UserError like that function, and DataError for a path where nothing is.
[[nodiscard]] SourceSpec find_source(const std::string& written);

}  // namespace convoy::data
