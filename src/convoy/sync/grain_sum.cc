#include "convoy/sync/grain_sum.h"

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/comm/sums.h"

namespace convoy {
namespace {

// How much of each subtree is sent to the first rank and back at a time: 256 KiB.
constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

GrainSum::GrainSum(Communicator& communicator, int grains, std::size_t floats)
    : communicator_(communicator),
      grains_(grains),
      floats_(floats),
      own_(grains_of_rank(grains, communicator.rank(), communicator.size())) {}

void GrainSum::add(std::span<const float> front, std::span<const float> back) {
  CONVOY_CHECK_EQ(front.size() + back.size(), floats_);
  const int grain = partials_.empty() ? own_.first : partials_.back().range.last;
  CONVOY_CHECK_LT(grain, own_.last);
  partials_.push_back({.range = {grain, grain + 1}, .values = take_memory()});
  std::vector<float>& values = partials_.back().values;
  std::ranges::copy(back, std::ranges::copy(front, values.begin()).out);
  while (partials_.size() > 1 &&
         is_subtree(grains_, {partials_[partials_.size() - 2].range.first, partials_.back().range.last})) {
    merge_last();
  }
}

std::vector<float> GrainSum::take_memory() {
  if (spare_.empty()) return std::vector<float>(floats_);
  std::vector<float> memory = std::move(spare_.back());
  spare_.pop_back();
  return memory;
}

// The last two partial sums are the two halves of a subtree.
void GrainSum::merge_last() {
  Partial right = std::move(partials_.back());
  partials_.pop_back();
  Partial& left = partials_.back();
  add_to(left.values, right.values);
  left.range.last = right.range.last;
  spare_.push_back(std::move(right.values));
}

void GrainSum::combine(std::span<float> front, std::span<float> back) {
  CONVOY_CHECK_EQ(partials_.empty() ? own_.first : partials_.back().range.last, own_.last);
  std::vector<float> sums = take_memory();
  for (std::size_t begin = 0; begin < floats_; begin += kBlock) {
    combine_block(begin, std::span(sums).subspan(begin, std::min(kBlock, floats_ - begin)));
  }
  std::ranges::copy_n(sums.begin(), static_cast<std::ptrdiff_t>(front.size()), front.begin());
  std::ranges::copy(sums.begin() + static_cast<std::ptrdiff_t>(front.size()), sums.end(), back.begin());
  spare_.push_back(std::move(sums));
  for (Partial& partial : partials_) spare_.push_back(std::move(partial.values));
  partials_.clear();
}

void GrainSum::combine_block(std::size_t begin, std::span<float> block) {
  if (communicator_.rank() != 0) {
    send_block(begin, block.size());
  } else {
    std::vector<Partial> parts = collect_block(begin, block.size());
    // Sums neighbours that form a subtree, until one is left.
    while (parts.size() > 1) {
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const GrainRange joined{parts[i].range.first, parts[i + 1].range.last};
        if (!is_subtree(grains_, joined)) continue;
        add_to(parts[i].values, parts[i + 1].values);
        parts[i].range = joined;
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
    std::ranges::copy(parts.front().values, block.begin());
  }
  communicator_.broadcast(std::as_writable_bytes(block));
}

void GrainSum::send_block(std::size_t begin, std::size_t count) {
  for (const Partial& partial : partials_) {
    communicator_.transport().send(0, std::span<const float>(partial.values).subspan(begin, count));
  }
}

std::vector<GrainSum::Partial> GrainSum::collect_block(std::size_t begin, std::size_t count) {
  std::vector<Partial> parts;
  for (const Partial& own : partials_) {
    const auto from = own.values.begin() + static_cast<std::ptrdiff_t>(begin);
    parts.push_back({.range = own.range, .values = {from, from + static_cast<std::ptrdiff_t>(count)}});
  }
  for (int rank = 1; rank < communicator_.size(); ++rank) {
    for (const GrainRange& range : subtrees_of(grains_, grains_of_rank(grains_, rank, communicator_.size()))) {
      parts.push_back({.range = range, .values = std::vector<float>(count)});
      communicator_.transport().receive(rank, std::span<float>(parts.back().values));
    }
  }
  return parts;
}

}  // namespace convoy
