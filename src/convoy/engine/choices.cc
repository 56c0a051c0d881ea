#include "convoy/engine/choices.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;

constexpr std::array<std::pair<const char*, std::string KernelChoice::*>, 3> kPasses = {
    {{"forward", &KernelChoice::forward},
     {"backward_data", &KernelChoice::backward_data},
     {"backward_weights", &KernelChoice::backward_weights}}};

Json json_of(const KernelChoice& choice) {
  Json json = Json::object();
  for (const auto& [key, pass] : kPasses) {
    if (!(choice.*pass).empty()) json[key] = choice.*pass;
  }
  return json;
}

std::string* pass_named(KernelChoice& choice, const std::string& key) {
  for (const auto& [name, pass] : kPasses) {
    if (key == name) return &(choice.*pass);
  }
  return nullptr;
}

// Reads what choices_to_json has written; every error message begins with the origin of the text.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  [[nodiscard]] Choices read(std::string_view text) const {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) fail("no JSON");
    const Json& format = member(json, "format");
    // Only a number is quoted: writing recurses, and anything else may be nested deeply.
    const std::string found = format.is_number() ? ", not " + format.dump() : "";
    if (format != kFormat) fail(fmt::format("\"format\" must be {}{}", kFormat, found));
    const Json& layers = member(json, "layers");
    if (!layers.is_object()) fail("\"layers\" must be an object");
    Choices choices;
    for (const auto& [layer, passes] : layers.items()) choices.emplace(layer, choice_of(layer, passes));
    return choices;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw DataError("{}: {}", source_, what); }

  [[nodiscard]] const Json& member(const Json& json, const char* key) const {
    if (!json.is_object() || !json.contains(key)) fail(fmt::format("\"{}\" is missing", key));
    return json[key];
  }

  [[nodiscard]] KernelChoice choice_of(const std::string& layer, const Json& json) const {
    if (!json.is_object()) fail(fmt::format("layer \"{}\" must be an object", layer));
    KernelChoice choice;
    for (const auto& [key, value] : json.items()) {
      std::string* pass = pass_named(choice, key);
      if (pass == nullptr) fail(fmt::format("layer \"{}\" has the unknown key \"{}\"", layer, key));
      if (!value.is_string()) fail(fmt::format("layer \"{}\": \"{}\" must be a text", layer, key));
      *pass = value.get<std::string>();
    }
    return choice;
  }

  std::string_view source_;
};

}  // namespace

std::string choices_to_json(const Choices& choices) {
  Json layers = Json::object();
  for (const auto& [layer, choice] : choices) layers[layer] = json_of(choice);
  return Json{{"format", kFormat}, {"layers", layers}}.dump(1) + "\n";
}

Choices choices_from_json(std::string_view text, std::string_view source) { return Reader(source).read(text); }

}  // namespace convoy
