#include "convoy/engine/tuning_cache.h"

#include <fmt/format.h>
#include <algorithm>

#include <nlohmann/json.hpp>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/input_file.h"

namespace convoy {
namespace {

using Json = nlohmann::json;

// Version of the file and of the set of candidates: new candidates need a new number.
constexpr int kCacheFormat = 10;

TunedChoice choice_of(const Json& json) {
  return {.kernels = {json.at(0).get<std::string>(), json.at(1).get<std::string>(), json.at(2).get<std::string>()},
          .measured_at = json.at(3).get<std::int64_t>(),
          .provisional = json.at(4).get<bool>()};
}

Json json_of(const TunedChoice& choice) {
  return {choice.kernels.forward, choice.kernels.backward_data, choice.kernels.backward_weights, choice.measured_at,
          choice.provisional};
}

}  // namespace

TuningCache::TuningCache(std::filesystem::path file) : file_(std::move(file)) { entries_ = read(); }

TuningCache::Entries TuningCache::read() {
  Entries entries;
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return entries;
  try {
    const Json json = Json::parse(read_file(file_));
    if (json.at("format").get<int>() != kCacheFormat) return entries;
    for (const auto& [key, value] : json.at("choices").items()) entries.emplace(key, choice_of(value));
  } catch (const std::exception&) {  // from the parser or the file system: a folder in the file's place, a broken disk
    entries.clear();
    notes_.push_back(
        fmt::format("the tuning cache {} is unreadable or corrupt; measuring again and replacing it", file_.string()));
  }
  return entries;
}

std::optional<TunedChoice> TuningCache::find(const std::string& key) const {
  const auto at = entries_.find(key);
  if (at == entries_.end()) return std::nullopt;
  return at->second;
}

void TuningCache::put(const std::string& key, const TunedChoice& choice) {
  entries_[key] = choice;
  changed_ = true;
}

void TuningCache::save() {
  if (file_.empty() || !changed_) return;
  try {
    const std::size_t notes_before = notes_.size();
    Entries all = read();
    notes_.resize(notes_before);  // what is wrong with the old file has been said already
    for (const auto& [key, choice] : entries_) all[key] = choice;
    Json choices = Json::object();
    for (const auto& [key, choice] : all) choices[key] = json_of(choice);
    std::filesystem::create_directories(file_.parent_path());
    write_file_atomically(file_, Json{{"format", kCacheFormat}, {"choices", choices}}.dump(1) + "\n");
    changed_ = false;
  } catch (const std::exception& error) {
    notes_.push_back(
        fmt::format("the tuning cache cannot be written, so the next run will measure again: {}", error.what()));
  }
}

void TuningCache::add_note(std::string note) {
  if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(std::move(note));
}

}  // namespace convoy
