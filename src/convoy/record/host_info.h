// One machine of a run, as its record tells it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace convoy {

struct HostInfo {
  std::string name;
  std::string cpu_model;
  std::int64_t usable_cores = 0;  // by the process that was asked: a rank that is bound to cores counts those
  std::int64_t memory_bytes = 0;
  // Of the running kernel: containers and network namespaces have names of their own but share it. Empty where it is
  // not known.
  std::string boot_id = {};
  std::int64_t hardware_threads = 0;  // of the whole machine; 0 where it is not known

  bool operator==(const HostInfo&) const = default;
};

// The machine this process runs on.
[[nodiscard]] HostInfo read_host();

[[nodiscard]] nlohmann::ordered_json to_json(const HostInfo& host);
[[nodiscard]] HostInfo host_info_from(const nlohmann::ordered_json& json);

}  // namespace convoy
