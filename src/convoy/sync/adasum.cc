#include "convoy/sync/adasum.h"

#include <bit>

namespace convoy {
namespace {

// The factors that the two gradients are multiplied by.
struct Shares {
  float first = 1;
  float second = 1;
};

Shares shares_of(std::span<const float> first, std::span<const float> second) {
  double dot = 0;
  double first_square = 0;
  double second_square = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double a = first[i];
    const double b = second[i];
    dot += a * b;
    first_square += a * a;
    second_square += b * b;
  }
  // A gradient of zero has no direction, so the two are simply added.
  if (first_square == 0 || second_square == 0) return {};
  return {.first = static_cast<float>(1 - dot / (2 * first_square)),
          .second = static_cast<float>(1 - dot / (2 * second_square))};
}

// Both parties call it with the same two gradients in the same order, so both get the same bits. `result` may be one of
// the two.
void combine(std::span<const float> first, std::span<const float> second, std::span<const std::size_t> ends,
             std::span<float> result) {
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const std::size_t count = end - begin;
    const Shares shares = shares_of(first.subspan(begin, count), second.subspan(begin, count));
    for (std::size_t i = begin; i < end; ++i) result[i] = shares.first * first[i] + shares.second * second[i];
    begin = end;
  }
}

}  // namespace

void adasum_all_reduce(Endpoint& parties, std::span<float> values, std::span<const std::size_t> ends,
                       std::vector<float>& scratch) {
  if (parties.size() == 1 || values.empty()) return;
  scratch.resize(values.size());
  const std::span<float> other = scratch;
  const int rank = parties.rank();
  const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(parties.size())));
  if (rank >= power) {
    parties.send(rank - power, std::span<const float>(values));
    return parties.receive(rank - power, values);
  }
  const bool has_guest = rank + power < parties.size();
  if (has_guest) {
    parties.receive(rank + power, other);
    combine(values, other, ends, values);
  }
  for (int distance = 1; distance < power; distance *= 2) {
    const int partner = rank ^ distance;
    parties.exchange(partner, std::span<const float>(values), partner, other);
    rank < partner ? combine(values, other, ends, values) : combine(other, values, ends, values);
  }
  if (has_guest) parties.send(rank + power, std::span<const float>(values));
}

}  // namespace convoy
