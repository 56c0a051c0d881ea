// PowerSGD (Vogels, Karimireddy, Jaggi 2019): sends a gradient matrix M as two thin factors.
//
//   M += error;  P = M Q;  sum P over nodes;  make P orthonormal;  R = M^T P;  error = M - P R^T;
//   sum R over nodes;  M = P R^T;  Q = R for the next step
//
// P and the sum of R have the same bits on all ranks, because the sums they come from have. Both sums are exact
// (CodedAllReduce with plain values), so that only the projection loses something, and the error keeps that. Tensors
// for which two factors would save nothing, and all biases and batch norms, are sent as they are with the first sum.
#pragma once

#include "convoy/sync/codec/codec.h"
#include "convoy/sync/codec/coded_all_reduce.h"
#include "convoy/sync/codec/compression.h"
#include "convoy/sync/codec/low_rank.h"

namespace convoy {

// Elements of a matrix's line that are neighbours in memory.
struct Run {
  std::uint32_t offset = 0;  // from the line's own
  std::uint32_t count = 0;
};

class PowerSgd final : public Compression {
 public:
  // Collective.
  PowerSgd(Communicator& communicator, int rank, std::vector<CompressibleTensor> tensors, std::size_t arena_floats);

  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool needs_whole_tensors() const override { return true; }
  void sum(Endpoint& nodes, std::size_t offset, std::span<float> values) override;
  [[nodiscard]] std::span<float> error() override { return error_; }
  [[nodiscard]] std::vector<CompressionState> state() override;

 private:
  // A tensor that is sent as two factors. Kernels keep neighbouring rows or neighbouring columns beside each other in
  // memory, so the matrix is read line by line, where a line is a column if it is rows that are neighbours.
  struct Factored {
    CompressibleTensor tensor;
    std::size_t rank = 0;
    std::vector<float> right;    // Q
    bool is_transposed = false;  // lines are columns
    std::vector<Run> runs;       // of a line

    [[nodiscard]] std::size_t left_floats() const { return tensor.rows.size() * rank; }
    [[nodiscard]] std::size_t right_floats() const { return tensor.columns.size() * rank; }
    [[nodiscard]] const std::vector<std::uint32_t>& lines() const {
      return is_transposed ? tensor.columns : tensor.rows;
    }
    [[nodiscard]] std::size_t line_floats() const { return is_transposed ? tensor.rows.size() : tensor.columns.size(); }
  };

  [[nodiscard]] std::span<Factored> factored_in(const ArenaSlice& slice);
  [[nodiscard]] MatrixView load(const Factored& factored, const float* values);
  void sum_exactly(Endpoint& nodes, std::size_t subject);
  void project(std::span<Factored> all, std::size_t offset, std::span<const float> values);
  void reconstruct(std::span<Factored> all, std::size_t offset, std::span<float> values);
  template <typename Visit>
  void visit_product(const Factored& factored, std::span<const float> left, std::span<const float> right,
                     const Visit& visit);

  int rank_;
  std::vector<Factored> factored_;
  std::span<float> error_;
  std::unique_ptr<Codec> plain_;
  CodedAllReduce all_reduce_;

  // Memory of the sum that is being computed.
  std::vector<float> exchanged_;  // the factors, and what is sent as it is
  std::vector<float> left_;       // P for all tensors
  std::vector<float> matrix_;
  std::vector<float> line_;
};

}  // namespace convoy
