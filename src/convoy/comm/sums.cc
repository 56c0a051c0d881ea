#include "convoy/comm/sums.h"

#include <algorithm>
#include <array>

#include "convoy/base/check.h"
#include "convoy/base/vector_clones.h"

namespace convoy {
namespace {

// Sums are computed in blocks of this many floats, which stay in the nearest cache until they are copied to the
// results.
constexpr std::size_t kBlock = 1024;

CONVOY_VECTOR_CLONES void add(float* __restrict sum, const float* __restrict values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    sum[i] += values[i];
  }
}

CONVOY_VECTOR_CLONES void add_two(float* __restrict sum, const float* __restrict a, const float* __restrict b,
                                  std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    sum[i] = a[i] + b[i];
  }
}

// Sums two parts directly into both, without a block in between: the case of two ranks on one machine.
CONVOY_VECTOR_CLONES void add_pair(float* __restrict a, float* __restrict b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    a[i] += b[i];
    b[i] = a[i];
  }
}

bool is_pair(std::span<const std::span<float>> parts, std::span<const std::span<float>> results) {
  return parts.size() == 2 && results.size() == 2 && parts[0].data() == results[0].data() &&
         parts[1].data() == results[1].data();
}

void sum_block(std::span<const std::span<float>> parts, std::span<const std::span<float>> results, std::size_t begin,
               std::size_t count) {
  std::array<float, kBlock> sum;
  add_two(sum.data(), parts[0].data() + begin, parts[1].data() + begin, count);
  for (const std::span<float> part : parts.subspan(2)) {
    add(sum.data(), part.data() + begin, count);
  }
  for (const std::span<float> result : results) {
    std::copy_n(sum.data(), count, result.data() + begin);
  }
}

}  // namespace

void add_to(std::span<float> sum, std::span<const float> values) {
  CONVOY_CHECK_EQ(sum.size(), values.size());
  add(sum.data(), values.data(), sum.size());
}

void sum_parts(std::span<const std::span<float>> parts, std::span<const std::span<float>> results) {
  CONVOY_CHECK_LE(std::size_t{2}, parts.size());
  const std::size_t count = parts[0].size();
  if (is_pair(parts, results)) {
    add_pair(parts[0].data(), parts[1].data(), count);
    return;
  }
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    sum_block(parts, results, begin, std::min(kBlock, count - begin));
  }
}

void add_parts(std::span<const std::span<float>> parts, std::size_t offset, std::span<float> result) {
  CONVOY_CHECK_LE(std::size_t{2}, parts.size());
  std::array<float, kBlock> sum;
  for (std::size_t begin = 0; begin < result.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, result.size() - begin);
    const std::size_t at = offset + begin;
    add_two(sum.data(), parts[0].data() + at, parts[1].data() + at, count);
    for (const std::span<float> part : parts.subspan(2)) add(sum.data(), part.data() + at, count);
    std::copy_n(sum.data(), count, result.data() + begin);
  }
}

}  // namespace convoy
