// What an all-reduce must do, checked on every rank of a communicator: used over threads and over MPI.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"

namespace convoy {

inline std::span<float> as_floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

// 0, 1 and 2 values, about as many as ranks, primes, and more than a cache line per rank.
inline std::vector<std::size_t> interesting_lengths(int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  return {0, 1, 2, n - 1, n, n + 1, 17, 97, 1009, 4099};
}

// Whole numbers, different for every rank and element, whose sums are exact in single precision.
inline float whole_number(int rank, std::size_t element) {
  const auto mixed = static_cast<float>((element * 2654435761U >> 7U) % 997);
  return mixed * static_cast<float>(rank + 1) - static_cast<float>(rank);
}

inline float sum_of_whole_numbers(int ranks, std::size_t element) {
  const auto n = static_cast<float>(ranks);
  return whole_number(0, element) * n * (n + 1) / 2 - n * (n - 1) / 2;
}

inline void fill_with_whole_numbers(std::span<float> values, int rank) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = whole_number(rank, i);
  }
}

// Reports only the first wrong element: there may be a million.
inline void expect_exact_sums(std::span<const float> values, int ranks, const std::string& what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != sum_of_whole_numbers(ranks, i)) {
      ADD_FAILURE() << what << ", element " << i << " of " << values.size() << ": " << values[i] << " instead of "
                    << sum_of_whole_numbers(ranks, i);
      return;
    }
  }
}

// Collective. `values` is the memory that is all-reduced: any memory, or shared memory of the communicator.
inline void check_exact_sums(Communicator& communicator, Algorithm algorithm, std::span<float> values) {
  fill_with_whole_numbers(values, communicator.rank());
  communicator.all_reduce(values, algorithm);
  expect_exact_sums(values, communicator.size(),
                    name_of(algorithm) + " on rank " + std::to_string(communicator.rank()) + " of " +
                        std::to_string(communicator.size()));
}

// Numbers whose sum depends on the order of additions.
inline float awkward_number(int rank, std::size_t element) {
  const auto bits = static_cast<std::uint32_t>(element * 2654435761U + static_cast<std::size_t>(rank) * 40503U);
  const float fraction = static_cast<float>(bits * 2246822519U >> 8U) / 16777216.0F - 0.5F;
  return std::ldexp(fraction, static_cast<int>(bits % 13U));
}

inline void expect_near_sums(std::span<const float> values, int ranks, const std::string& what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0;
    double magnitude = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      sum += awkward_number(rank, i);
      magnitude += std::abs(awkward_number(rank, i));
    }
    ASSERT_NEAR(values[i], sum, magnitude * 1e-6) << what << ", element " << i;
  }
}

// Collective: checks that every rank gets the same bits as rank 0, and gets them again the second time.
inline void check_bits(Communicator& communicator, Algorithm algorithm, std::span<float> values) {
  std::vector<float> first;
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = awkward_number(communicator.rank(), i);
    }
    communicator.all_reduce(values, algorithm);
    expect_near_sums(values, communicator.size(), name_of(algorithm));
    if (repeat == 0) {
      first.assign(values.begin(), values.end());
      communicator.broadcast(std::as_writable_bytes(std::span(first)));
    }
    EXPECT_EQ(std::memcmp(values.data(), first.data(), values.size_bytes()), 0)
        << name_of(algorithm) << " on rank " << communicator.rank() << ", repeat " << repeat;
  }
}

}  // namespace convoy
