#include "convoy/sync/codec/power_sgd.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "convoy/base/rng.h"
#include "convoy/base/vector_clones.h"
#include "convoy/comm/sums.h"
#include "convoy/sync/codec/element_compression.h"

namespace convoy {
namespace {

// Replaces columns of a right factor that are zero by random ones, the same on all ranks. They are zero at the start,
// and after a gradient that had no component along them; otherwise they would stay zero for ever.
void fill_zero_columns(std::span<float> right, std::size_t length, const std::string& name) {
  for (std::size_t k = 0; k * length < right.size(); ++k) {
    const std::span<float> column = right.subspan(k * length, length);
    if (std::ranges::any_of(column, [](float value) { return value != 0; })) continue;
    Rng rng(XXH3_64bits(name.data(), name.size()), k);
    for (float& value : column) value = rng.normal();
  }
}

// Places in memory as runs of consecutive ones.
std::vector<Run> runs_of(const std::vector<std::uint32_t>& places) {
  std::vector<Run> runs;
  for (const std::uint32_t place : places) {
    const bool goes_on = !runs.empty() && place == runs.back().offset + runs.back().count;
    if (!goes_on) runs.push_back({.offset = place, .count = 0});
    ++runs.back().count;
  }
  return runs;
}

// Sets `values` to what is left of `from` without them.
CONVOY_VECTOR_CLONES void subtract_from(std::span<const float> from, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from[i] - values[i];
}

// Copies a line to where its elements belong.
void store(std::span<const float> line, const std::vector<Run>& runs, float* to) {
  const float* from = line.data();
  for (const Run& run : runs) {
    std::copy_n(from, run.count, to + run.offset);
    from += run.count;
  }
}

// Calls visit(slice) for the parts of `values` between the given tensors.
template <typename Tensors, typename Visit>
void visit_between(const Tensors& tensors, std::size_t offset, std::span<float> values, const Visit& visit) {
  std::size_t done = offset;
  for (const auto& factored : tensors) {
    const ArenaSlice& slice = factored.tensor.slice;
    visit(values.subspan(done - offset, slice.offset - done));
    done = slice.end();
  }
  visit(values.subspan(done - offset));
}

}  // namespace

PowerSgd::PowerSgd(Communicator& communicator, int rank, std::vector<CompressibleTensor> tensors,
                   std::size_t arena_floats)
    : rank_(rank),
      error_(shared_error(communicator, arena_floats)),
      plain_(make_plain_codec()),
      all_reduce_(communicator.nodes()) {
  for (CompressibleTensor& tensor : tensors) {
    const std::size_t rows = tensor.rows.size();
    const std::size_t columns = tensor.columns.size();
    const std::size_t own = std::min({static_cast<std::size_t>(rank), rows, columns});
    if (own * (rows + columns) >= rows * columns) continue;
    std::vector<Run> along_rows = runs_of(tensor.columns);
    std::vector<Run> along_columns = runs_of(tensor.rows);
    const bool is_transposed = along_columns.size() * columns < along_rows.size() * rows;
    Factored factored{.tensor = std::move(tensor),
                      .rank = own,
                      .right = std::vector<float>(own * columns),
                      .is_transposed = is_transposed,
                      .runs = is_transposed ? std::move(along_columns) : std::move(along_rows)};
    fill_zero_columns(factored.right, columns, factored.tensor.name);
    factored_.push_back(std::move(factored));
  }
}

std::string PowerSgd::description() const { return fmt::format("powersgd of rank {}", rank_); }

std::vector<CompressionState> PowerSgd::state() {
  std::vector<CompressionState> state;
  for (Factored& factored : factored_) {
    state.push_back({.name = factored.tensor.name,
                     .rows = static_cast<std::int64_t>(factored.rank),
                     .columns = static_cast<std::int64_t>(factored.tensor.columns.size()),
                     .values = factored.right});
  }
  return state;
}

std::span<PowerSgd::Factored> PowerSgd::factored_in(const ArenaSlice& slice) {
  const auto begin_of = [](const Factored& factored) { return factored.tensor.slice.offset; };
  const auto first = std::ranges::lower_bound(factored_, slice.offset, {}, begin_of);
  const auto last = std::ranges::lower_bound(first, factored_.end(), slice.end(), {}, begin_of);
  return {first, last};
}

void PowerSgd::sum(Endpoint& nodes, std::size_t offset, std::span<float> values) {
  const std::span<Factored> all = factored_in({.offset = offset, .count = values.size()});
  exchanged_.clear();
  for (const Factored& factored : all) {
    const ArenaSlice& slice = factored.tensor.slice;
    add_to(values.subspan(slice.offset - offset, slice.count), error_.subspan(slice.offset, slice.count));
    exchanged_.resize(exchanged_.size() + factored.left_floats());
    const MatrixView lines = load(factored, values.data() + (slice.offset - offset));
    const std::span<float> left = std::span(exchanged_).last(factored.left_floats());
    factored.is_transposed ? multiply_transposed(lines, factored.right, left, factored.rank)
                           : multiply(lines, factored.right, left, factored.rank);
  }
  const std::size_t left_floats = exchanged_.size();
  visit_between(all, offset, values,
                [&](std::span<float> plain) { exchanged_.insert(exchanged_.end(), plain.begin(), plain.end()); });
  sum_exactly(nodes, offset);

  left_.assign(exchanged_.begin(), exchanged_.begin() + static_cast<std::ptrdiff_t>(left_floats));
  std::size_t at = left_floats;
  visit_between(all, offset, values, [&](std::span<float> plain) {
    std::ranges::copy(std::span(exchanged_).subspan(at, plain.size()), plain.begin());
    at += plain.size();
  });
  project(all, offset, values);
  sum_exactly(nodes, offset);
  reconstruct(all, offset, values);
}

// Sums exchanged_ over all nodes.
void PowerSgd::sum_exactly(Endpoint& nodes, std::size_t subject) {
  const CodedPiece piece{.slice = {.offset = 0, .count = exchanged_.size()}, .codec = plain_.get()};
  all_reduce_.sum(nodes, exchanged_, {&piece, 1}, {}, subject);
}

// Copies the elements of a tensor that begins at `values` into a matrix of its lines.
MatrixView PowerSgd::load(const Factored& factored, const float* values) {
  matrix_.resize(factored.lines().size() * factored.line_floats());
  float* to = matrix_.data();
  for (const std::uint32_t line : factored.lines()) {
    for (const Run& run : factored.runs) to = std::copy_n(values + line + run.offset, run.count, to);
  }
  return {.values = matrix_, .rows = factored.lines().size(), .columns = factored.line_floats()};
}

// Given the summed left factors, computes this node's right factors and the error that both leave of its gradients.
void PowerSgd::project(std::span<Factored> all, std::size_t offset, std::span<const float> values) {
  exchanged_.clear();
  std::size_t at = 0;
  for (const Factored& factored : all) {
    const CompressibleTensor& tensor = factored.tensor;
    const std::span<float> left = std::span(left_).subspan(at, factored.left_floats());
    at += left.size();
    orthonormalise(left, tensor.rows.size(), factored.rank);
    const MatrixView lines = load(factored, values.data() + (tensor.slice.offset - offset));
    exchanged_.resize(exchanged_.size() + factored.right_floats());
    const std::span<float> right = std::span(exchanged_).last(factored.right_floats());
    factored.is_transposed ? multiply(lines, left, right, factored.rank)
                           : multiply_transposed(lines, left, right, factored.rank);
    float* const error = error_.data() + tensor.slice.offset;
    visit_product(factored, left, right, [&](std::size_t line, std::span<float> product) {
      subtract_from(lines.row(line), product);
      store(product, factored.runs, error + factored.lines()[line]);
    });
  }
}

// Computes the summed gradients from both factors. The right factors are kept for the next step.
void PowerSgd::reconstruct(std::span<Factored> all, std::size_t offset, std::span<float> values) {
  std::size_t left_at = 0;
  std::size_t right_at = 0;
  for (Factored& factored : all) {
    const CompressibleTensor& tensor = factored.tensor;
    const auto left = std::span(left_).subspan(left_at, factored.left_floats());
    const auto right = std::span(exchanged_).subspan(right_at, factored.right_floats());
    left_at += left.size();
    right_at += right.size();
    float* const sums = values.data() + (tensor.slice.offset - offset);
    visit_product(factored, left, right, [&](std::size_t line, std::span<const float> product) {
      store(product, factored.runs, sums + factored.lines()[line]);
    });
    std::ranges::copy(right, factored.right.begin());
    fill_zero_columns(factored.right, tensor.columns.size(), tensor.name);
  }
}

// Calls visit(line, product) for each line of left * transposed(right).
template <typename Visit>
void PowerSgd::visit_product(const Factored& factored, std::span<const float> left, std::span<const float> right,
                             const Visit& visit) {
  if (factored.is_transposed) std::swap(left, right);
  const std::size_t lines = factored.lines().size();
  line_.resize(factored.line_floats());
  for (std::size_t line = 0; line < lines; ++line) {
    product_row(left, right, factored.rank, lines, line, line_);
    visit(line, std::span(line_));
  }
}

}  // namespace convoy
