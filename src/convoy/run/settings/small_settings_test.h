// A few settings, one of each type, for tests of code that reads and writes settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/run/settings/setting.h"

namespace convoy {

struct Small {
  std::string model = "lenet";
  std::int64_t epochs = 10;
  double clip = 0;
  bool exact = false;
  std::optional<bool> flip;
  std::vector<Setting> list;

  Small() {
    SettingGroup("Model", list).add("model", model, "NAME", "Which").add("exact", exact, "", "No winograd");
    SettingGroup("Training", list).add("epochs", epochs, "N", "How many").add("clip", clip, "NORM", "At most");
    SettingGroup("Data", list).add("flip", flip, "BOOL", "Mirror");
  }
};

}  // namespace convoy
