// How gradients are written into messages with fewer bytes than they have in memory, and read again.
//
// A codec is a pair of functions and remembers nothing. What it lost is remembered by who uses it
// (element_compression.h), where keeps_error() says that this matters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace convoy {

class Codec {
 public:
  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  // For people, with its settings: "int8 in blocks of 256".
  [[nodiscard]] virtual std::string description() const = 0;

  // Whether training needs what encoding loses to be added to the next values.
  [[nodiscard]] virtual bool keeps_error() const { return false; }

  // The length of so many values: a multiple of 8 that depends on nothing else, so that receivers know it.
  [[nodiscard]] virtual std::size_t encoded_bytes(std::size_t count) const = 0;

  // `bytes` has encoded_bytes(values.size()) and is aligned to 8. A value that is no number gives values that are none,
  // so that who looks at a sum sees it.
  virtual void encode(std::span<const float> values, std::span<std::byte> bytes) const = 0;

  // The same bits for the same bytes on any processor.
  virtual void decode(std::span<const std::byte> bytes, std::span<float> values) const = 0;
};

// 4 bytes a value, nothing lost.
[[nodiscard]] std::unique_ptr<Codec> make_plain_codec();

// 2 bytes a value: the upper half of its bits, rounded to nearest, ties to even.
[[nodiscard]] std::unique_ptr<Codec> make_bf16_codec();

// 2 bytes a value: IEEE half precision, rounded to nearest, ties to even. What is too large becomes the largest number.
[[nodiscard]] std::unique_ptr<Codec> make_fp16_codec();

// 1 byte a value, and for each block of values a scale: the largest magnitude over 127.
[[nodiscard]] std::unique_ptr<Codec> make_int8_codec(std::size_t block);

// 1 bit a value, its sign, and for each block two floats: the mean of its values below zero and that of the others.
// Keeps the error.
[[nodiscard]] std::unique_ptr<Codec> make_onebit_codec(std::size_t block);

// The values of largest magnitude, `share` of them and at least one, with their places; the others become zero. Keeps
// the error.
[[nodiscard]] std::unique_ptr<Codec> make_topk_codec(double share);

// Lengths are multiples of this many bytes.
[[nodiscard]] constexpr std::size_t whole_words(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// Before values are written that may leave some of it: what pads them is zero, so that equal values make equal bytes.
inline void clear_last_word(std::span<std::byte> bytes) {
  if (!bytes.empty()) std::ranges::fill(bytes.last(8), std::byte{0});
}

}  // namespace convoy
