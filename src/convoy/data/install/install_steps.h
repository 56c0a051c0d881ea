// The steps of an installation: files are fetched over HTTP, checked and unpacked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace convoy::data {

// Bytes so far and in all; the latter is zero while nobody knows. An exception it throws ends the download.
using DownloadProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Fetches `url` to `path`. Bytes that are there already are taken as the beginning of the file and only the rest is
// asked for; a server that cannot do this sends all of it again. Throws DataError with URL and reason when the server
// does not answer, refuses, falls silent for 30 s, or the disk is full; what has arrived stays for the next attempt.
void download(const std::string& url, const std::filesystem::path& path, const DownloadProgress& on_progress);

// SHA-256 of a file, to tell a data set from a damaged or different one, in lower-case hexadecimal digits. Throws
// DataError when the file cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

// Unpacks an archive, tar or zip, however compressed: writes the files of `archive` below `folder`, which exists.
// Entries that are neither files nor folders are passed over. Throws DataError with the archive's name when it is no
// archive, is corrupt, would write outside of the folder, or the disk is full.
void extract_archive(const std::filesystem::path& archive, const std::filesystem::path& folder);

// Whether the file's name ends as archives' do: .tar, .tar.gz, .tgz, .zip and the like.
[[nodiscard]] bool has_archive_ending(const std::filesystem::path& path);

}  // namespace convoy::data
