#include "convoy/run/bench/measured_rates.h"

#include <exception>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/input_file.h"

namespace convoy {
namespace {

using Json = nlohmann::json;

std::map<std::string, MeasuredRate> read_rates(const std::filesystem::path& file) {
  std::map<std::string, MeasuredRate> rates;
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return rates;
  try {
    const Json json = Json::parse(read_file(file));
    for (const auto& [key, value] : json.items()) {
      rates[key] = {.samples_per_second = value.at("samples_per_second"), .day = value.at("day")};
    }
  } catch (const std::exception&) {  // from the parser or from reading the file
    rates.clear();
  }
  return rates;
}

}  // namespace

MeasuredRates::MeasuredRates(std::filesystem::path file) : file_(std::move(file)), rates_(read_rates(file_)) {}

std::optional<MeasuredRate> MeasuredRates::find(const std::string& key) const {
  const auto at = rates_.find(key);
  if (at == rates_.end()) return std::nullopt;
  return at->second;
}

void MeasuredRates::keep(const std::string& key, const MeasuredRate& rate) {
  rates_[key] = rate;
  if (file_.empty()) return;
  try {
    std::map<std::string, MeasuredRate> all = read_rates(file_);
    all[key] = rate;
    Json json = Json::object();
    for (const auto& [name, one] : all) json[name] = {{"samples_per_second", one.samples_per_second}, {"day", one.day}};
    std::filesystem::create_directories(file_.parent_path());
    write_file_atomically(file_, json.dump(1) + "\n");
  } catch (const std::exception&) {  // the folder cannot be written
  }
}

}  // namespace convoy
