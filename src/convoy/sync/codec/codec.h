// Writes gradients into messages with fewer bytes than they have in memory, and reads them again.
//
// A codec is a pair of functions and remembers nothing. Where keeps_error() is true, its user has to remember what
// encoding lost (element_compression.h).
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

  // For people, including its settings: "int8 in blocks of 256".
  [[nodiscard]] virtual std::string description() const = 0;

  // Whether training only works if what encoding loses is added to the next step's values.
  [[nodiscard]] virtual bool keeps_error() const { return false; }

  // The encoded length of so many values. It is a multiple of 8 and depends on nothing else, so that receivers know it.
  [[nodiscard]] virtual std::size_t encoded_bytes(std::size_t count) const = 0;

  // `bytes` has encoded_bytes(values.size()) bytes and is aligned to 8. NaN must become NaN again, so that a sum shows
  // it.
  virtual void encode(std::span<const float> values, std::span<std::byte> bytes) const = 0;

  // The same bytes give the same bits on any processor.
  virtual void decode(std::span<const std::byte> bytes, std::span<float> values) const = 0;
};

// 4 bytes per value, without loss.
[[nodiscard]] std::unique_ptr<Codec> make_plain_codec();

// 2 bytes per value: the upper half of its bits, rounded to nearest, ties to even.
[[nodiscard]] std::unique_ptr<Codec> make_bf16_codec();

// 2 bytes per value: IEEE half precision, rounded to nearest, ties to even. Values that are too large become the
// largest number.
[[nodiscard]] std::unique_ptr<Codec> make_fp16_codec();

// 1 byte per value, and a scale for each block of values: the largest magnitude divided by 127.
[[nodiscard]] std::unique_ptr<Codec> make_int8_codec(std::size_t block);

// 1 bit per value, its sign, and two floats for each block: the mean of its values below zero and that of the others.
// Keeps the error.
[[nodiscard]] std::unique_ptr<Codec> make_onebit_codec(std::size_t block);

// Only the values of largest magnitude, `share` of them and at least one, with their places; the others become zero.
// Keeps the error.
[[nodiscard]] std::unique_ptr<Codec> make_topk_codec(double share);

// Rounds a length up to a multiple of 8 bytes.
[[nodiscard]] constexpr std::size_t whole_words(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// Called before values are written that may not fill the last word: padding is zero, so that equal values give equal
// bytes.
inline void clear_last_word(std::span<std::byte> bytes) {
  if (!bytes.empty()) std::ranges::fill(bytes.last(8), std::byte{0});
}

}  // namespace convoy
