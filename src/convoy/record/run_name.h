// Names of run folders, and times as records write them.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace convoy {

// "2026-11-16T03:12:45Z"
[[nodiscard]] std::string time_text(std::chrono::system_clock::time_point time);

// "2026-11-16T0312-resnet20-fashion-mnist", in UTC. Characters that do not belong into a file name
// ("folder:photos/cats") become a hyphen; long names are cut.
[[nodiscard]] std::string default_run_name(std::string_view model, std::string_view data,
                                           std::chrono::system_clock::time_point time);

// Makes the folder parent/name, or parent/name-2, -3, ... when that exists, and returns it. Runs that start at the same
// time get different folders. Throws SystemError.
[[nodiscard]] std::filesystem::path make_run_folder(const std::filesystem::path& parent, const std::string& name);

}  // namespace convoy
