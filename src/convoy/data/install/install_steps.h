// The steps of an installation: downloading files over HTTP, checking and unpacking them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace convoy::data {

// Bytes so far and in total; the total is zero while it is not known. An exception that it throws ends the download.
using DownloadProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Downloads `url` to `path`. If `path` exists, it is taken as the beginning of the file and only the rest is requested;
// a server that cannot do this sends everything again. Throws DataError with URL and reason when the server does not
// answer, refuses, or sends nothing for 30 s, or the disk is full. What has arrived is kept for the next attempt.
void download(const std::string& url, const std::filesystem::path& path, const DownloadProgress& on_progress);

// SHA-256 tells a data set from a damaged or different one; in lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_of(std::span<const std::uint8_t> bytes);

// The same of a file. Throws DataError when it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

// Unpacks a tar or zip archive, with any compression: writes its files below `folder`, which must exist. Entries that
// are neither files nor folders are skipped. Throws DataError with the archive's name when it is not an archive or is
// corrupt, when it would write outside the folder, or when the disk is full.
void extract_archive(const std::filesystem::path& archive, const std::filesystem::path& folder);

// Whether the file's name ends like an archive's: .tar, .tar.gz, .tgz, .zip and so on.
[[nodiscard]] bool has_archive_ending(const std::filesystem::path& path);

}  // namespace convoy::data
