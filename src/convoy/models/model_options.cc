#include "convoy/models/model_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

// A larger number is a typing error.
constexpr int kMostFilters = 100'000;

}  // namespace

const std::vector<std::string>& loss_names() {
  static const std::vector<std::string> names = {"cross-entropy", "mean-squared-error"};
  return names;
}

Loss loss_named(std::string_view name) {
  const std::vector<std::string>& names = loss_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw UserError("unknown loss \"{}\"; use one of {}", name, fmt::join(names, ", "));
  }
  return static_cast<Loss>(found - names.begin());
}

InceptionFilters inception_filters(std::string_view text) {
  InceptionFilters filters;
  using Name = std::pair<std::string_view, int*>;
  const std::vector<Name> names = {
      {"1x1", &filters.one},
      {"3x3", &filters.three},
      {"5x5", &filters.five},
      {"reduce3x3", &filters.three_reduce},
      {"reduce5x5", &filters.five_reduce},
      {"pool", &filters.pool},
  };
  std::istringstream list{std::string(text)};
  for (std::string part; std::getline(list, part, ',');) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto named = std::ranges::find(names, part.substr(0, equals), &Name::first);
    int count = 0;
    const auto [end, error] =
        std::from_chars(part.data() + std::min(equals + 1, part.size()), part.data() + part.size(), count);
    if (named == names.end() || error != std::errc() || end != part.data() + part.size() || count < 1 ||
        count > kMostFilters) {
      throw UserError("--filters: \"{}\" is none of 1x1=N, 3x3=N, 5x5=N, reduce3x3=N, reduce5x5=N and pool=N", part);
    }
    *named->second = count;
  }
  return filters;
}

}  // namespace convoy
