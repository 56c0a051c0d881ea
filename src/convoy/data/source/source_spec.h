// What a user writes to choose data: "cifar10", "mnist:/some/folder", "folder:photos", "synthetic:3x32x32,count=1000".
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
  std::string argument;  // the part after it; a path, except for synthetic data
  std::string text;      // all of it
};

// Throws UserError that suggests the nearest name when there is no such source, or when a folder, pack or synthetic
// source has no argument.
[[nodiscard]] SourceSpec parse_source_spec(std::string_view text);

// Everything that may stand before the colon.
[[nodiscard]] std::vector<std::string> source_names();

// The names of data sets that are installed under a data folder: "mnist", ...
[[nodiscard]] std::vector<std::string> dataset_names();

// A name or a path as a user writes it. All commands understand it through these functions.

// The specification for what is at `path`: a data set in its published layout ("cifar10:PATH"), else "folder:PATH" or,
// for a file, "pack:PATH". No value when nothing is there. MNIST and Fashion-MNIST look the same; it is the latter when
// the path contains "fashion".
[[nodiscard]] std::optional<std::string> spec_of_path(const std::filesystem::path& path);

// If `written` begins with a known name, as parse_source_spec(); otherwise the specification for what is at that path.
// Throws UserError as that function does, and DataError for a path where nothing is.
[[nodiscard]] SourceSpec find_source(const std::string& written);

}  // namespace convoy::data
