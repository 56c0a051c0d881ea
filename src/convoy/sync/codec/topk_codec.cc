#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "convoy/base/check.h"
#include "convoy/sync/codec/codec.h"

namespace convoy {
namespace {

// Magnitudes as bits, which have the same order, with NaN above all.
std::uint32_t magnitude_bits(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU; }

// The magnitude of the `kept`-th largest value, counted from 1, and how many values are larger.
struct Threshold {
  std::uint32_t magnitude = 0;
  std::size_t above = 0;
};

// First counts how often each pattern of upper bits occurs; then only the few values with the right pattern are left to
// choose from.
Threshold find_threshold(std::span<const float> values, std::size_t kept) {
  constexpr unsigned kLowerBits = 19;
  constexpr std::size_t kBins = std::size_t{1} << (31 - kLowerBits);
  std::array<std::size_t, kBins> counts{};
  for (const float value : values) ++counts[magnitude_bits(value) >> kLowerBits];
  std::size_t bin = counts.size() - 1;
  std::size_t above = 0;
  while (above + counts[bin] < kept) above += counts[bin--];
  std::vector<std::uint32_t> in_bin;
  in_bin.reserve(counts[bin]);
  for (const float value : values) {
    if (magnitude_bits(value) >> kLowerBits == bin) in_bin.push_back(magnitude_bits(value));
  }
  const auto wanted = in_bin.begin() + static_cast<std::ptrdiff_t>(kept - above - 1);
  std::ranges::nth_element(in_bin, wanted, std::greater<>());
  const std::uint32_t magnitude = *wanted;
  return {.magnitude = magnitude,
          .above = above + static_cast<std::size_t>(
                               std::ranges::count_if(in_bin, [&](std::uint32_t bits) { return bits > magnitude; }))};
}

// Stores numbers of `width` bits one after the other in 64-bit words, the lowest bits first.
class PackedNumbers {
 public:
  PackedNumbers(std::uint64_t* words, unsigned width) : words_(words), width_(width) {}

  // The words must be zero before.
  void write(std::size_t index, std::uint64_t number) {
    const std::size_t bit = index * width_;
    words_[bit / 64] |= number << bit % 64;
    if (bit % 64 + width_ > 64) words_[bit / 64 + 1] |= number >> (64 - bit % 64);
  }

  [[nodiscard]] static std::uint64_t read(const std::uint64_t* words, unsigned width, std::size_t index) {
    const std::size_t bit = index * width;
    std::uint64_t number = words[bit / 64] >> bit % 64;
    if (bit % 64 + width > 64) number |= words[bit / 64 + 1] << (64 - bit % 64);
    return number & ((std::uint64_t{1} << width) - 1);
  }

 private:
  std::uint64_t* words_;
  unsigned width_;
};

// Writes the kept values, then their places in ascending order, each in as many bits as the last place of the input
// needs.
class TopkCodec final : public Codec {
 public:
  explicit TopkCodec(double share) : share_(share) { CONVOY_CHECK(share > 0 && share <= 1); }

  [[nodiscard]] std::string description() const override { return fmt::format("topk of {:g} %", share_ * 100); }
  [[nodiscard]] bool keeps_error() const override { return true; }

  [[nodiscard]] std::size_t encoded_bytes(std::size_t count) const override {
    const std::size_t kept = kept_of(count);
    return places_begin(kept) + whole_words((kept * width_of(count) + 7) / 8);
  }

  void encode(std::span<const float> values, std::span<std::byte> bytes) const override {
    std::ranges::fill(bytes, std::byte{0});
    if (values.empty()) return;
    const std::size_t kept = kept_of(values.size());
    const Threshold threshold = find_threshold(values, kept);
    auto* const taken = reinterpret_cast<float*>(bytes.data());
    PackedNumbers places(reinterpret_cast<std::uint64_t*>(bytes.data() + places_begin(kept)), width_of(values.size()));
    // Among equal magnitudes the first ones are kept.
    std::size_t equals = kept - threshold.above;
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size() && count < kept; ++i) {
      const std::uint32_t magnitude = magnitude_bits(values[i]);
      if (magnitude < threshold.magnitude) continue;
      if (magnitude == threshold.magnitude && equals-- == 0) {
        equals = 0;
        continue;
      }
      taken[count] = values[i];
      places.write(count++, i);
    }
  }

  void decode(std::span<const std::byte> bytes, std::span<float> values) const override {
    std::ranges::fill(values, 0.0F);
    const std::size_t kept = kept_of(values.size());
    const auto* const taken = reinterpret_cast<const float*>(bytes.data());
    const auto* const places = reinterpret_cast<const std::uint64_t*>(bytes.data() + places_begin(kept));
    for (std::size_t i = 0; i < kept; ++i) {
      const std::uint64_t place = PackedNumbers::read(places, width_of(values.size()), i);
      CONVOY_CHECK_LT(place, values.size());
      values[place] = taken[i];
    }
  }

 private:
  [[nodiscard]] std::size_t kept_of(std::size_t count) const {
    if (count == 0) return 0;
    const auto wanted = static_cast<std::size_t>(std::llround(share_ * static_cast<double>(count)));
    return std::clamp<std::size_t>(wanted, 1, count);
  }
  [[nodiscard]] static unsigned width_of(std::size_t count) {
    return count < 2 ? 1U : static_cast<unsigned>(std::bit_width(count - 1));
  }
  [[nodiscard]] static std::size_t places_begin(std::size_t kept) { return whole_words(kept * sizeof(float)); }

  double share_;
};

}  // namespace

std::unique_ptr<Codec> make_topk_codec(double share) { return std::make_unique<TopkCodec>(share); }

}  // namespace convoy
