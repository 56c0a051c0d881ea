// Fetches files over HTTP, going on where an earlier attempt stopped.
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

}  // namespace convoy::data
