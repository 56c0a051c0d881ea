// Each codec compared with its written definition.
#include "convoy/sync/codec/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "convoy/base/rng.h"

namespace convoy {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

const std::vector<std::size_t> kLengths = {0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 129, 1000, 1024, 1025, 4099};

// Numbers like gradients: around zero and of very different magnitudes.
std::vector<float> gradients_of(std::size_t count, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) value = rng.normal() * std::ldexp(1.0F, -static_cast<int>(rng.below(20)));
  return values;
}

std::vector<float> through(const Codec& codec, const std::vector<float>& values) {
  const std::size_t length = codec.encoded_bytes(values.size());
  EXPECT_EQ(length % 8, 0U);
  std::vector<std::uint64_t> words(length / 8 + 1, 0xA5A5A5A5A5A5A5A5U);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(words)).first(length);
  codec.encode(values, bytes);
  EXPECT_EQ(words.back(), 0xA5A5A5A5A5A5A5A5U) << "wrote behind its end";
  std::vector<float> decoded(values.size(), -7.0F);
  codec.decode(bytes, decoded);
  // The bytes must depend on the values alone, because they are hashed.
  std::vector<std::uint64_t> again(length / 8 + 1, 0x5A5A5A5A5A5A5A5AU);
  codec.encode(values, std::as_writable_bytes(std::span(again)).first(length));
  EXPECT_TRUE(std::equal(words.begin(), words.end() - 1, again.begin()));
  return decoded;
}

void expect_same(const std::vector<float>& decoded, const std::vector<float>& expected, const std::string& what) {
  ASSERT_EQ(decoded.size(), expected.size());
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    ASSERT_EQ(decoded[i], expected[i]) << what << ", value " << i << " of " << decoded.size();
  }
}

// The nearest multiple of 2^(exponent of the value - digits), ties to even; that power is at least 2^lowest.
float rounded(float value, int digits, int lowest) {
  if (value == 0) return value;
  const int exponent = std::max(std::ilogb(value) - digits, lowest);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(value), -exponent)), exponent));
}

TEST(Codec, PlainLosesNothing) {
  for (const std::size_t length : kLengths) {
    const std::vector<float> values = gradients_of(length);
    expect_same(through(*make_plain_codec(), values), values, "plain");
    EXPECT_EQ(make_plain_codec()->encoded_bytes(length), (length + 1) / 2 * 8);
  }
}

TEST(Codec, Bf16KeepsSevenDigitsOfTheMantissa) {
  const auto codec = make_bf16_codec();
  for (const std::size_t length : kLengths) {
    const std::vector<float> values = gradients_of(length);
    std::vector<float> expected = values;
    for (float& value : expected) value = rounded(value, 7, -133);
    expect_same(through(*codec, values), expected, "bf16");
    EXPECT_EQ(codec->encoded_bytes(length), (length + 3) / 4 * 8);
  }
  const std::vector<float> ties = {1 + 0x1p-8F, 1 + 0x3p-8F, -1 - 0x1p-8F, 0.0F, -0.0F, kInfinite, -kInfinite};
  expect_same(through(*codec, ties), {1, 1 + 0x4p-8F, -1, 0, 0, kInfinite, -kInfinite}, "ties");
  EXPECT_TRUE(std::isnan(through(*codec, {kNan})[0]));
}

TEST(Codec, Fp16IsIeeeHalfPrecisionThatDoesNotOverflow) {
  const auto codec = make_fp16_codec();
  for (const std::size_t length : kLengths) {
    const std::vector<float> values = gradients_of(length);
    std::vector<float> expected = values;
    for (float& value : expected) value = rounded(value, 10, -24);
    expect_same(through(*codec, values), expected, "fp16");
  }
  expect_same(through(*codec, {65504, 65519, 65520, 1e9F, -1e9F, kInfinite, 0x1p-24F, 0x1p-25F, 0x1.8p-25F, 0x1p-14F}),
              {65504, 65504, 65504, 65504, -65504, kInfinite, 0x1p-24F, 0, 0x1p-24F, 0x1p-14F}, "extremes");
  EXPECT_TRUE(std::isnan(through(*codec, {kNan})[0]));
  // Every half-precision number must come back unchanged.
  for (int exponent = -24; exponent < 16; ++exponent) {
    for (int mantissa = 0; mantissa < 1024; ++mantissa) {
      const float half = rounded(std::ldexp(1.0F + static_cast<float>(mantissa) / 1024, exponent), 10, -24);
      ASSERT_EQ(through(*codec, {half})[0], half);
    }
  }
}

TEST(Codec, Int8HasAScaleForEachBlock) {
  for (const std::size_t block : {64U, 256U}) {
    const auto codec = make_int8_codec(block);
    for (const std::size_t length : kLengths) {
      const std::vector<float> values = gradients_of(length);
      std::vector<float> expected = values;
      for (std::size_t begin = 0; begin < length; begin += block) {
        const std::span<float> own = std::span(expected).subspan(begin, std::min<std::size_t>(block, length - begin));
        float largest = 0;
        for (const float value : own) largest = std::max(largest, std::abs(value));
        const float scale = largest / 127;
        for (float& value : own) value = std::nearbyint(value * (127 / largest)) * scale;
      }
      expect_same(through(*codec, values), expected, codec->description());
    }
  }
  EXPECT_EQ(make_int8_codec(256)->encoded_bytes(2560), 2560U + 10 * 4);
  expect_same(through(*make_int8_codec(64), {0, 0, 0}), {0, 0, 0}, "zeros");
  expect_same(through(*make_int8_codec(64), {1e-42F, 0}), {0, 0}, "too small for a scale");
  for (const float value : {kNan, kInfinite}) {
    EXPECT_TRUE(std::isnan(through(*make_int8_codec(64), {1, value})[0]));
  }
}

TEST(Codec, OnebitIsTheSignAndTheMeansOfEachBlock) {
  for (const std::size_t block : {64U, 1024U}) {
    const auto codec = make_onebit_codec(block);
    EXPECT_TRUE(codec->keeps_error());
    for (const std::size_t length : kLengths) {
      const std::vector<float> values = gradients_of(length);
      const std::vector<float> decoded = through(*codec, values);
      for (std::size_t begin = 0; begin < length; begin += block) {
        const std::size_t end = std::min(begin + block, length);
        double sums[2] = {};
        double counts[2] = {};
        for (std::size_t i = begin; i < end; ++i) {
          sums[values[i] < 0 ? 1 : 0] += values[i];
          counts[values[i] < 0 ? 1 : 0] += 1;
        }
        for (std::size_t i = begin; i < end; ++i) {
          const int side = values[i] < 0 ? 1 : 0;
          const double mean = sums[side] / counts[side];
          ASSERT_NEAR(decoded[i], mean, 1e-5 * std::abs(mean)) << codec->description() << ", value " << i;
        }
      }
    }
  }
  EXPECT_EQ(make_onebit_codec(1024)->encoded_bytes(10240), 10 * (1024U / 8 + 8)) << "less than 1/30";
  EXPECT_TRUE(std::isnan(through(*make_onebit_codec(64), {kNan, 1})[1]));
}

// The naive way: sort by magnitude; among equals the first one comes first.
std::vector<float> largest_of(const std::vector<float>& values, std::size_t kept) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return std::abs(values[i]); });
  std::vector<float> result(values.size(), 0.0F);
  for (std::size_t i = 0; i < kept; ++i) result[order[i]] = values[order[i]];
  return result;
}

TEST(Codec, TopkKeepsTheLargest) {
  for (const double share : {0.001, 0.01, 0.3, 1.0}) {
    const auto codec = make_topk_codec(share);
    EXPECT_TRUE(codec->keeps_error());
    for (const std::size_t length : kLengths) {
      const std::vector<float> values = gradients_of(length);
      const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(length)));
      const std::size_t kept = std::min(std::max<std::size_t>(wanted, 1), length);
      expect_same(through(*codec, values), largest_of(values, kept), codec->description());
    }
  }
  const std::vector<float> equals = {1, -2, 2, 0, -2, 2, 1, 0, 0, 0};
  expect_same(through(*make_topk_codec(0.2), equals), {0, -2, 2, 0, 0, 0, 0, 0, 0, 0}, "of equals the first");
  expect_same(through(*make_topk_codec(0.5), std::vector<float>(10, 0.0F)), std::vector<float>(10, 0.0F), "zeros");
  EXPECT_TRUE(std::isnan(through(*make_topk_codec(0.1), {1, 2, kNan, 3})[2])) << "NaN counts as the largest";
  // 1000 of 100000 values are kept: 4 bytes for each, and 17 bits for each place.
  EXPECT_EQ(make_topk_codec(0.01)->encoded_bytes(100000), 4000U + (1000 * 17 + 63) / 64 * 8);
}

}  // namespace
}  // namespace convoy
