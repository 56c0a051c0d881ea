// Names of networks and machines as people write them: "VGG-16 CPU" is about {"model": "vgg16", "device": "cpu"}.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace convoy::study {

// Whether every word of `text` is said by a setting. Case, hyphens and underscores make no difference, words such as
// "on" say nothing, and a number may stand apart ("VGG 16", "batch 256"). A model's family stands for its members
// ("VGG" for vgg16), and a member for a model of which only the family is known ("ResNet-34" for resnet).
[[nodiscard]] bool names_settings(std::string_view text, const std::map<std::string, std::string>& settings);

}  // namespace convoy::study
