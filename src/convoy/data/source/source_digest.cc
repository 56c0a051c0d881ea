#include "convoy/data/source/source_digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>

#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"

namespace convoy::data {
namespace {

// Enough to notice images that were exchanged or made anew, few enough to decode in a moment.
constexpr std::int64_t kImages = 32;

struct FreeState {
  void operator()(XXH3_state_t* state) const { (void)XXH3_freeState(state); }
};
using State = std::unique_ptr<XXH3_state_t, FreeState>;

void add_split(const Source& source, Split split, XXH3_state_t& state) {
  const std::int64_t size = source.size(split);
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int32_t label = source.label(split, i);
    (void)XXH3_64bits_update(&state, &label, sizeof(label));
  }
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(source.shape().count()));
  const std::int64_t count = std::min(size, kImages);
  for (std::int64_t i = 0; i < count; ++i) {
    source.read(split, count == 1 ? 0 : i * (size - 1) / (count - 1), pixels);
    (void)XXH3_64bits_update(&state, pixels.data(), pixels.size());
  }
}

std::string count_text(const char* use, std::int64_t now, std::int64_t before) {
  return fmt::format("it has {} images to {} and had {}", grouped_text(now), use, grouped_text(before));
}

}  // namespace

SourceDigest digest_of(const Source& source) {
  const State state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  (void)XXH3_64bits_reset(state.get());
  add_split(source, Split::train, *state);
  add_split(source, Split::test, *state);
  return {.train = source.size(Split::train),
          .test = source.size(Split::test),
          .classes = source.classes(),
          .hash = fmt::format("{:016x}", XXH3_64bits_digest(state.get()))};
}

std::string difference(const SourceDigest& now, const SourceDigest& before) {
  if (now.classes.size() != before.classes.size()) {
    return fmt::format("it has {} classes and had {}", now.classes.size(), before.classes.size());
  }
  const auto [name, old_name] = std::ranges::mismatch(now.classes, before.classes);
  if (name != now.classes.end()) {
    return fmt::format("class {} is '{}' and was '{}'", name - now.classes.begin(), quoted_text(*name),
                       quoted_text(*old_name));
  }
  if (now.train != before.train) return count_text("train on", now.train, before.train);
  if (now.test != before.test) return count_text("test", now.test, before.test);
  return now.hash == before.hash ? "" : "its images or their labels are others";
}

}  // namespace convoy::data
