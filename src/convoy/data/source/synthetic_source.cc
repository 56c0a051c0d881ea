#include "convoy/data/source/synthetic_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/base/rng.h"

namespace convoy::data {

namespace {

constexpr std::uint64_t kClassStream = 0x636c617373;
constexpr std::uint64_t kNoiseStream = 0x6e6f697365;

std::int64_t parse_count(std::string_view key, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > kMost) {
    throw UserError("synthetic data: {}={} is not a whole number of at least 1", key, text);
  }
  return value;
}

void set_field(SyntheticSpec& spec, std::string_view field) {
  const std::size_t equals = field.find('=');
  const std::string_view key = field.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : field.substr(equals + 1);
  if (key == "classes") {
    spec.classes = parse_count(key, value);
  } else if (key == "count") {
    spec.count = parse_count(key, value);
  } else {
    const std::array<std::string, 2> known{"classes", "count"};
    const auto nearest = nearest_name(key, known);
    throw UserError("synthetic data has no '{}'{}; write synthetic:3x32x32,classes=10,count=50000", key,
                    nearest ? fmt::format(", did you mean {}?", *nearest) : "");
  }
}

// One direction of the wave: cosine and sine of its phase at each place, so that a pixel takes only two
// multiplications.
struct Wave {
  std::vector<float> cosine;
  std::vector<float> sine;

  Wave(std::int64_t size, float cycles, float phase) {
    for (std::int64_t i = 0; i < size; ++i) {
      const float angle =
          2 * std::numbers::pi_v<float> * (cycles * static_cast<float>(i) / static_cast<float>(size) + phase);
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
  }
};

constexpr std::int64_t kMostClasses = 1'000'000;

void check_spec(const SyntheticSpec& spec) {
  const auto& dims = spec.shape.dims();
  if (dims.size() != 3 || std::ranges::any_of(dims, [](std::int64_t extent) { return extent < 1; })) {
    throw UserError("synthetic data: the shape {} is not CxHxW, as in 3x32x32", spec.shape.to_string());
  }
  if (spec.classes < 1) throw UserError("synthetic data: {} classes are too few", spec.classes);
  if (spec.classes > kMostClasses) throw UserError("synthetic data: {} classes are too many", spec.classes);
  if (spec.count < 1) throw UserError("synthetic data: {} images are too few", spec.count);
}

class SyntheticSource : public Source {
 public:
  explicit SyntheticSource(const SyntheticSpec& spec) : spec_(spec) {
    for (std::int64_t k = 0; k < spec.classes; ++k) {
      classes_.push_back(fmt::format("wave {}", k));
    }
  }

  [[nodiscard]] std::string name() const override {
    return fmt::format("synthetic:{},classes={},count={}", spec_.shape.to_string(), spec_.classes, spec_.count);
  }
  [[nodiscard]] Shape shape() const override { return spec_.shape; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] std::int64_t size(Split split) const override {
    return split == Split::train ? spec_.count : std::max<std::int64_t>(1, spec_.count / 5);
  }
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override {
    require_sample(split, i);
    return static_cast<std::int32_t>(i % spec_.classes);
  }

  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override {
    require_sample(split, i);
    require_room(pixels.size());
    fill_noise(split, i, pixels);
    const auto plane = static_cast<std::size_t>(spec_.shape[1] * spec_.shape[2]);
    Rng rng(static_cast<std::uint64_t>(label(split, i)), kClassStream);
    const float cycles_down = rng.uniform(-4, 4);
    const float cycles_across = rng.uniform(-4, 4);
    for (std::size_t c = 0; c < static_cast<std::size_t>(spec_.shape[0]); ++c) {
      add_wave(cycles_down, cycles_across, rng.uniform(), pixels.subspan(c * plane, plane));
    }
  }

  // Wave and noise are symmetric about the middle value, with variances 31.5^2 / 2 and 192^2 / 12.
  [[nodiscard]] ChannelStatistics statistics() const override {
    const auto channels = static_cast<std::size_t>(spec_.shape[0]);
    return {.mean = std::vector<float>(channels, 0.5F), .deviation = std::vector<float>(channels, 0.2342F)};
  }

 private:
  // Fills with random bytes in [32, 223].
  static void fill_noise(Split split, std::int64_t i, std::span<std::uint8_t> pixels) {
    const std::uint64_t sample = 2 * static_cast<std::uint64_t>(i) + (split == Split::test ? 1 : 0);
    for (std::size_t at = 0; at < pixels.size(); at += 16) {
      const auto words = philox(sample, kNoiseStream, at);
      for (std::size_t k = 0; k < std::min<std::size_t>(16, pixels.size() - at); ++k) {
        const std::uint32_t byte = words[k / 4] >> (8 * (k % 4)) & 0xff;
        pixels[at + k] = static_cast<std::uint8_t>(32 + byte * 3 / 4);
      }
    }
  }

  void add_wave(float cycles_down, float cycles_across, float phase, std::span<std::uint8_t> plane) const {
    const Wave down(spec_.shape[1], cycles_down, phase);
    const Wave across(spec_.shape[2], cycles_across, 0);
    const std::size_t width = across.cosine.size();
    for (std::size_t y = 0; y < down.cosine.size(); ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const float wave = down.cosine[y] * across.cosine[x] - down.sine[y] * across.sine[x];
        const float value = static_cast<float>(plane[y * width + x]) + 31.5F * wave;
        plane[y * width + x] = static_cast<std::uint8_t>(value);
      }
    }
  }

  SyntheticSpec spec_;
  std::vector<std::string> classes_;
};

}  // namespace

SyntheticSpec parse_synthetic_spec(std::string_view text) {
  SyntheticSpec spec;
  std::size_t comma = text.find(',');
  spec.shape = Shape::parse(text.substr(0, comma));
  while (comma != std::string_view::npos) {
    const std::size_t begin = comma + 1;
    comma = text.find(',', begin);
    set_field(spec, text.substr(begin, comma == std::string_view::npos ? comma : comma - begin));
  }
  check_spec(spec);
  return spec;
}

std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec) {
  check_spec(spec);
  return std::make_unique<SyntheticSource>(spec);
}

}  // namespace convoy::data
