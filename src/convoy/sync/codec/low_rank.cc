#include "convoy/sync/codec/low_rank.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/vector_clones.h"

namespace convoy {
namespace {

constexpr std::size_t kBlockLanes = 8;

using Block = StoredMatrix::Block;
using Line = StoredMatrix::Line;
using Lines = std::span<const Line>;

std::size_t run_at(const std::vector<std::uint32_t>& places, std::size_t i) {
  std::size_t count = 1;
  while (count < kBlockLanes && i + count < places.size() && places[i + count] == places[i] + count) ++count;
  return count;
}

// Places in memory as blocks of kBlockLanes consecutive ones, or of one where there are fewer.
std::vector<Block> blocks_of(const std::vector<std::uint32_t>& places) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < places.size(); i += blocks.back().is_whole ? kBlockLanes : 1) {
    blocks.push_back(
        {.first = static_cast<std::uint32_t>(i), .offset = places[i], .is_whole = run_at(places, i) == kBlockLanes});
  }
  std::ranges::sort(blocks, {}, &Block::offset);
  return blocks;
}

std::vector<Line> lines_of(const std::vector<std::uint32_t>& places) {
  std::vector<Line> lines;
  for (std::uint32_t i = 0; i < places.size(); ++i) lines.push_back({.index = i, .offset = places[i]});
  std::ranges::sort(lines, {}, &Line::offset);
  return lines;
}

// Below, `values` is where a block begins. The number of lanes is a constant, so that the compiler uses vectors. All
// sums are taken in a fixed order.

// sums[lane] = sum over lines of factor[line] * values[line][lane]
template <std::size_t lanes>
[[gnu::always_inline]] inline void sum_lines_of(const float* values, Lines lines, const float* factor, float* sums) {
  float total[lanes] = {};
  for (const Line& line : lines) {
    const float* const from = values + line.offset;
    const float by = factor[line.index];
    for (std::size_t lane = 0; lane < lanes; ++lane) total[lane] += by * from[lane];
  }
  std::copy_n(total, lanes, sums);
}

// sums[line] += sum over lanes of factor[lane] * values[line][lane]
template <std::size_t lanes>
[[gnu::always_inline]] inline void sum_lanes_of(const float* values, Lines lines, const float* factor, float* sums) {
  for (const Line& line : lines) {
    const float* const from = values + line.offset;
    float products[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) products[lane] = factor[lane] * from[lane];
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) products[lane] += products[lane + half];
    }
    sums[line.index] += products[0];
  }
}

// Two thin factors, column by column; `lanes` begins at the block's first one.
struct Factors {
  const float* lanes;
  std::size_t lane_count;  // from one column of `lanes` to the next
  const float* lines;
  std::size_t line_count;
  std::size_t rank;
};

// Sets values[line][lane] to the product of the factors or, if `from` is not null, to what is left of `from` without
// it.
template <std::size_t lanes>
[[gnu::always_inline]] inline void write_products_of(const float* from, Lines lines, const Factors& factors,
                                                     float* values) {
  for (const Line& line : lines) {
    float product[lanes] = {};
    for (std::size_t k = 0; k < factors.rank; ++k) {
      const float by = factors.lines[k * factors.line_count + line.index];
      const float* const own = factors.lanes + k * factors.lane_count;
      for (std::size_t lane = 0; lane < lanes; ++lane) product[lane] += by * own[lane];
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      values[line.offset + lane] = from == nullptr ? product[lane] : from[line.offset + lane] - product[lane];
    }
  }
}

CONVOY_VECTOR_CLONES void sum_lines_of_whole(const float* values, Lines lines, const float* factor, float* sums) {
  sum_lines_of<kBlockLanes>(values, lines, factor, sums);
}

CONVOY_VECTOR_CLONES void sum_lanes_of_whole(const float* values, Lines lines, const float* factor, float* sums) {
  sum_lanes_of<kBlockLanes>(values, lines, factor, sums);
}

CONVOY_VECTOR_CLONES void write_products_of_whole(const float* from, Lines lines, const Factors& factors,
                                                  float* values) {
  write_products_of<kBlockLanes>(from, lines, factors, values);
}

double exact_dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// If less than this share of a column is left after removing the directions of the columns before it, the rest is only
// rounding error.
constexpr double kDependent = 1e-6;

}  // namespace

StoredMatrix::StoredMatrix(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns) {
  std::vector<Block> of_rows = blocks_of(rows);
  std::vector<Block> of_columns = blocks_of(columns);
  lanes_are_rows_ = of_rows.size() * columns.size() < of_columns.size() * rows.size();
  blocks_ = std::move(lanes_are_rows_ ? of_rows : of_columns);
  lines_ = lines_of(lanes_are_rows_ ? columns : rows);
  lane_count_ = lanes_are_rows_ ? rows.size() : columns.size();
}

void StoredMatrix::multiply(const float* values, std::span<const float> right, std::span<float> left,
                            std::size_t rank) const {
  lanes_are_rows_ ? sum_lines(values, right, left, rank) : sum_lanes(values, right, left, rank);
}

void StoredMatrix::multiply_transposed(const float* values, std::span<const float> left, std::span<float> right,
                                       std::size_t rank) const {
  lanes_are_rows_ ? sum_lanes(values, left, right, rank) : sum_lines(values, left, right, rank);
}

void StoredMatrix::sum_lines(const float* values, std::span<const float> factor, std::span<float> sums,
                             std::size_t rank) const {
  for (const Block& block : blocks_) {
    const auto sum = block.is_whole ? sum_lines_of_whole : sum_lines_of<1>;
    for (std::size_t k = 0; k < rank; ++k) {
      sum(values + block.offset, lines_, factor.data() + k * lines_.size(),
          sums.data() + k * lane_count_ + block.first);
    }
  }
}

void StoredMatrix::sum_lanes(const float* values, std::span<const float> factor, std::span<float> sums,
                             std::size_t rank) const {
  std::ranges::fill(sums, 0.0F);
  for (const Block& block : blocks_) {
    const auto sum = block.is_whole ? sum_lanes_of_whole : sum_lanes_of<1>;
    for (std::size_t k = 0; k < rank; ++k) {
      sum(values + block.offset, lines_, factor.data() + k * lane_count_ + block.first,
          sums.data() + k * lines_.size());
    }
  }
}

void StoredMatrix::set_product(std::span<const float> left, std::span<const float> right, std::size_t rank,
                               float* values) const {
  write(nullptr, left, right, rank, values);
}

void StoredMatrix::set_rest(const float* values, std::span<const float> left, std::span<const float> right,
                            std::size_t rank, float* rest) const {
  write(values, left, right, rank, rest);
}

void StoredMatrix::write(const float* from, std::span<const float> left, std::span<const float> right, std::size_t rank,
                         float* values) const {
  for (const Block& block : blocks_) {
    const Factors factors{.lanes = (lanes_are_rows_ ? left : right).data() + block.first,
                          .lane_count = lane_count_,
                          .lines = (lanes_are_rows_ ? right : left).data(),
                          .line_count = lines_.size(),
                          .rank = rank};
    const auto write_block = block.is_whole ? write_products_of_whole : write_products_of<1>;
    write_block(from == nullptr ? nullptr : from + block.offset, lines_, factors, values + block.offset);
  }
}

void orthonormalise(std::span<float> columns, std::size_t length, std::size_t rank) {
  for (std::size_t k = 0; k < rank; ++k) {
    const std::span<float> column = columns.subspan(k * length, length);
    const double before = std::sqrt(exact_dot(column, column));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t earlier = 0; earlier < k; ++earlier) {
        const std::span<const float> other = columns.subspan(earlier * length, length);
        const double along = exact_dot(column, other);
        for (std::size_t i = 0; i < length; ++i) column[i] = static_cast<float>(column[i] - along * other[i]);
      }
    }
    const double after = std::sqrt(exact_dot(column, column));
    const double factor = after <= kDependent * before ? 0.0 : 1 / after;
    for (float& value : column) value = static_cast<float>(value * factor);
  }
}

}  // namespace convoy
