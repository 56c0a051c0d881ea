#include "convoy/record/run_name.h"

#include <fmt/format.h>

#include <system_error>

#include "convoy/base/error.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPart = 60;

struct UtcTime {
  std::chrono::year_month_day day;
  std::chrono::hh_mm_ss<std::chrono::seconds> clock;
};

UtcTime utc(std::chrono::system_clock::time_point time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  return {std::chrono::year_month_day(day), std::chrono::hh_mm_ss(seconds - day)};
}

std::string day_text(const UtcTime& time) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(time.day.year()), static_cast<unsigned>(time.day.month()),
                     static_cast<unsigned>(time.day.day()));
}

bool belongs_in_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

// Replaces each group of characters that does not belong into a name by one hyphen, with none at the ends.
std::string name_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    if (belongs_in_a_name(c)) {
      part += c;
    } else if (!part.empty() && part.back() != '-') {
      part += '-';
    }
    if (part.size() == kLongestPart) break;
  }
  while (!part.empty() && part.back() == '-') part.pop_back();
  return part;
}

}  // namespace

std::string time_text(std::chrono::system_clock::time_point time) {
  const UtcTime at = utc(time);
  return fmt::format("{}T{:02}:{:02}:{:02}Z", day_text(at), at.clock.hours().count(), at.clock.minutes().count(),
                     at.clock.seconds().count());
}

std::string default_run_name(std::string_view model, std::string_view data,
                             std::chrono::system_clock::time_point time) {
  const UtcTime at = utc(time);
  std::string name = fmt::format("{}T{:02}{:02}", day_text(at), at.clock.hours().count(), at.clock.minutes().count());
  for (const std::string& part : {name_part(model), name_part(data)}) {
    if (!part.empty()) name += "-" + part;
  }
  return name;
}

fs::path make_run_folder(const fs::path& parent, const std::string& name) {
  std::error_code error;
  fs::create_directories(parent, error);
  for (int number = 1; !error; ++number) {
    fs::path folder = parent / (number == 1 ? name : fmt::format("{}-{}", name, number));
    // create_directory() returns false when the folder exists, no matter who made it.
    if (fs::create_directory(folder, error)) return folder;
    // If there is a file of that name, the next name is tried too.
    if (error == std::errc::file_exists || error == std::errc::not_a_directory) error.clear();
  }
  throw SystemError(fmt::format("cannot make a folder in {}: {}", parent.string(), error.message()));
}

}  // namespace convoy
