// What Adasum must give for any world, computed in double precision from its definition.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/sync/adasum.h"

namespace convoy {

using Gradient = std::vector<double>;

inline Gradient adasum_of_two(const Gradient& a, const Gradient& b) {
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  Gradient result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = (aa == 0 ? 1 : 1 - dot / (2 * aa)) * a[i] + (bb == 0 ? 1 : 1 - dot / (2 * bb)) * b[i];
  }
  return result;
}

inline Gradient adasum_of(std::vector<Gradient> all) {
  const std::size_t power = std::bit_floor(all.size());
  for (std::size_t i = power; i < all.size(); ++i) all[i - power] = adasum_of_two(all[i - power], all[i]);
  for (std::size_t count = power; count > 1; count /= 2) {
    for (std::size_t i = 0; i < count / 2; ++i) all[i] = adasum_of_two(all[2 * i], all[2 * i + 1]);
  }
  return all[0];
}

inline double party_gradient(int rank, std::size_t i) {
  return std::cos(0.7 * rank + 0.01 * static_cast<double>(i)) + 0.1 * rank;
}

// Collective. Three tensors, the second of which is zero on some parties.
inline void check_adasum(Communicator& communicator) {
  const std::vector<std::size_t> ends = {7, 20, 151};
  std::vector<float> values(ends.back());
  const auto value = [&](int rank, std::size_t i) {
    const bool is_zero = i >= ends[0] && i < ends[1] && rank % 2 == 1;
    return is_zero ? 0.0F : static_cast<float>(party_gradient(rank, i));
  };
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(communicator.rank(), i);
  std::vector<float> scratch;
  adasum_all_reduce(communicator.transport(), values, ends, scratch);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    std::vector<Gradient> all(static_cast<std::size_t>(communicator.size()));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      for (std::size_t i = begin; i < end; ++i) all[rank].push_back(value(static_cast<int>(rank), i));
    }
    const Gradient expected = adasum_of(all);
    for (std::size_t i = begin; i < end; ++i) ASSERT_NEAR(values[i], expected[i - begin], 1e-5) << i;
    begin = end;
  }
  // All parties must have the same bits.
  std::vector<float> first = values;
  communicator.broadcast(std::as_writable_bytes(std::span(first)));
  EXPECT_EQ(first, values);
}

}  // namespace convoy
