#include "convoy/sync/codec/coding_time.h"

#include <algorithm>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/base/rng.h"
#include "convoy/comm/sums.h"
#include "convoy/sync/codec/low_rank.h"

namespace convoy {
namespace {

// 16 MB: more than the caches of a core hold, as with whole gradients.
constexpr std::size_t kMostValues = std::size_t{1} << 22U;

std::vector<float> made_up_gradients(std::size_t count) {
  constexpr std::size_t kDifferent = 1 << 16;
  Rng rng(1);
  std::vector<float> values(count);
  const std::size_t drawn = std::min(count, kDifferent);
  for (std::size_t i = 0; i < drawn; ++i) values[i] = rng.normal();
  for (std::size_t i = drawn; i < count; ++i) values[i] = values[i - drawn];
  return values;
}

// The shorter of two times, the first of which meets memory that was never touched.
template <typename Work>
double seconds_of(const Work& work) {
  double shortest = 0;
  for (const bool is_first : {true, false}) {
    const auto begin = Clock::now();
    work();
    const double seconds = seconds_since(begin);
    shortest = is_first ? seconds : std::min(shortest, seconds);
  }
  return shortest;
}

// In a CodedAllReduce a rank encodes each value once, its own or a sum, and decodes the others' shares of the sums that
// it owns and all sums. Keeping the error takes decoding once more, an addition and a subtraction.
double seconds_by_values(const Codec& codec, std::size_t count, int nodes) {
  std::vector<float> values = made_up_gradients(count);
  std::vector<float> decoded(count);
  std::vector<std::byte> bytes(codec.encoded_bytes(count));
  const double encoding = seconds_of([&] { codec.encode(values, bytes); });
  const double decoding = seconds_of([&] { codec.decode(bytes, decoded); });
  const double adding = seconds_of([&] { add_to(values, decoded); });
  const double keeping = codec.keeps_error() ? decoding + 2 * adding : 0;
  return encoding + keeping + (2 - 1.0 / nodes) * decoding;
}

// PowerSgd adds the error, copies the matrix in the order of its lines for each of the two factors, multiplies it with
// them, and multiplies the factors with each other for the new error and for the sum.
double seconds_by_factors(std::size_t rows, std::size_t columns, std::size_t rank) {
  std::vector<float> values = made_up_gradients(rows * columns);
  std::vector<float> copied(values.size());
  const MatrixView matrix{.values = copied, .rows = rows, .columns = columns};
  std::vector<float> left(rank * rows);
  std::vector<float> right = made_up_gradients(rank * columns);
  std::vector<float> row(columns);
  const double adding = seconds_of([&] { add_to(values, copied); });
  const double projecting = seconds_of([&] {
    std::ranges::copy(values, copied.begin());
    multiply(matrix, right, left, rank);
    std::ranges::copy(values, copied.begin());
    multiply_transposed(matrix, left, right, rank);
  });
  const double reconstructing = seconds_of([&] {
    for (std::size_t r = 0; r < rows; ++r) {
      product_row(left, right, rank, rows, r, row);
      std::ranges::copy(row, matrix.row(r).begin());
    }
  });
  return adding + projecting + 2 * reconstructing;
}

}  // namespace

double coding_seconds(const CompressionOptions& options, std::size_t rows, std::size_t columns, int nodes) {
  if (options.codec == CodecKind::none || rows * columns == 0) return 0;
  const std::size_t measured_rows = std::clamp<std::size_t>(kMostValues / columns, 1, rows);
  const double parts = static_cast<double>(rows) / static_cast<double>(measured_rows);
  if (options.codec == CodecKind::powersgd) {
    const auto rank = static_cast<std::size_t>(options.rank);
    return parts * seconds_by_factors(measured_rows, columns, std::min({rank, rows, columns}));
  }
  return parts * seconds_by_values(*make_codec(options), measured_rows * columns, nodes);
}

}  // namespace convoy
