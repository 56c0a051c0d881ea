// Gradients between nodes with fewer bytes: what is asked for, and what does it.
//
//   GradientReducer -> MessageReducer -> Compression -> Codec, CodedAllReduce -> comm
//
// Inside a node gradients are summed exactly in shared memory; a Compression then sums the nodes' sums over nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

enum class CodecKind : std::uint8_t { none, bf16, fp16, int8, onebit, topk, powersgd };

// In the order of the enumeration, as users write them.
[[nodiscard]] const std::vector<std::string>& codec_names();
// Throws UserError with the nearest name for an unknown one.
[[nodiscard]] CodecKind codec_named(std::string_view text);

// Whether nodes remember what it lost, and checkpoints with them.
[[nodiscard]] bool keeps_error(CodecKind codec);

struct CompressionOptions {
  CodecKind codec = CodecKind::none;
  std::int64_t after = 0;  // steps of the run that are not compressed yet
  std::size_t block = 0;   // values with a scale or means of their own, a multiple of 64; 0: what is usual
  double share = 0.01;     // topk: of the values that are sent
  int rank = 4;            // powersgd: columns of each factor
};

// Throws UserError naming the setting that is out of range.
void check_options(const CompressionOptions& options);

// About what a tensor of weights takes in a message.
[[nodiscard]] std::size_t encoded_bytes(const CompressionOptions& options, std::size_t rows, std::size_t columns);

// A tensor of weights in the gradient arena. Everything else there, biases and batch norms, is never compressed.
struct CompressibleTensor {
  std::string name;
  ArenaSlice slice;  // with padding
  // As a matrix: the element in row r and column c lies at slice.offset + rows[r] + columns[c].
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  // Places of the arena inside the slice that hold no element. They are zero and must stay so.
  std::vector<ArenaSlice> padding;
};

// Something that is remembered from step to step beside the error, the same on all nodes.
struct CompressionState {
  std::string name;  // of the tensor
  std::int64_t rows = 0, columns = 0;
  std::span<float> values;
};

class Compression {
 public:
  Compression() = default;
  Compression(const Compression&) = delete;
  Compression& operator=(const Compression&) = delete;
  virtual ~Compression() = default;

  [[nodiscard]] virtual std::string description() const = 0;

  // Whether sum() needs whole tensors: buckets must not cut them, and one delegate of each node sums a bucket.
  [[nodiscard]] virtual bool needs_whole_tensors() const { return false; }

  // Collective over `nodes`: replaces the values, which are the gradients from `offset` on, by nearly their sums, the
  // same bits on all ranks. Throws PeerError naming a rank whose message arrives damaged.
  virtual void sum(Endpoint& nodes, std::size_t offset, std::span<float> values) = 0;

  // What this node still owes: laid out as the gradients are, in memory that the ranks of the node share. Empty where
  // nothing is owed. To be read and written between steps.
  [[nodiscard]] virtual std::span<float> error() { return {}; }
  // On the first rank of each node.
  [[nodiscard]] virtual std::vector<CompressionState> state() { return {}; }
};

// Collective; options.codec is not `none`. `tensors` are in the order of the arena, of `arena_floats`.
[[nodiscard]] std::unique_ptr<Compression> make_compression(Communicator& communicator,
                                                            const CompressionOptions& options,
                                                            std::vector<CompressibleTensor> tensors,
                                                            std::size_t arena_floats);

}  // namespace convoy
