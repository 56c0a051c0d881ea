// Sends gradients between nodes with fewer bytes: the options, and the interface of what does it.
//
//   GradientReducer -> MessageReducer -> Compression -> Codec, CodedAllReduce -> comm
//
// Inside a node gradients are summed exactly in shared memory; a Compression then sums the nodes' sums over all nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/sync/codec/codec.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

enum class CodecKind : std::uint8_t { none, bf16, fp16, int8, onebit, topk, powersgd };

// In the order of the enumeration, as users write them.
[[nodiscard]] const std::vector<std::string>& codec_names();
// Throws UserError with the nearest name for an unknown one.
[[nodiscard]] CodecKind codec_named(std::string_view text);

// Whether nodes remember what this codec lost; checkpoints then have to save it.
[[nodiscard]] bool keeps_error(CodecKind codec);

struct CompressionOptions {
  CodecKind codec = CodecKind::none;
  std::int64_t after = 0;  // how many steps of the run are not compressed at first
  std::size_t block = 0;   // how many values share a scale or means, a multiple of 64; 0: the codec's usual number
  double share = 0.01;     // topk: the share of the values that is sent
  int rank = 4;            // powersgd: the number of columns of each factor
};

// Throws UserError that names the setting that is out of range.
void check_options(const CompressionOptions& options);

// The codec of single values. powersgd has none, as it works on whole matrices: plain.
[[nodiscard]] std::unique_ptr<Codec> make_codec(const CompressionOptions& options);

// About how many bytes a weight tensor takes in a message.
[[nodiscard]] std::size_t encoded_bytes(const CompressionOptions& options, std::size_t rows, std::size_t columns);

// A weight tensor in the gradient arena. Everything else there, such as biases and batch norms, is never compressed.
struct CompressibleTensor {
  std::string name;
  ArenaSlice slice;  // including padding
  // The tensor as a matrix: the element in row r and column c is at slice.offset + rows[r] + columns[c].
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  // The parts of the slice that hold no element. They are zero and must stay so.
  std::vector<ArenaSlice> padding;
};

// Values that are remembered from step to step besides the error; the same on all nodes.
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

  // Whether sum() needs whole tensors: buckets must then not cut them, and one delegate of each node sums a whole
  // bucket.
  [[nodiscard]] virtual bool needs_whole_tensors() const { return false; }

  // Collective over `nodes`: replaces the values, which are the gradients from `offset` on, by approximately their
  // sums; all ranks get the same bits. Throws PeerError that names a rank whose message arrives damaged.
  virtual void sum(Endpoint& nodes, std::size_t offset, std::span<float> values) = 0;

  // What this node has not sent yet: laid out like the gradients, in memory that the ranks of the node share. Empty
  // when no error is kept. May be read and written between steps.
  [[nodiscard]] virtual std::span<float> error() { return {}; }
  // Complete on the first rank of each node.
  [[nodiscard]] virtual std::vector<CompressionState> state() { return {}; }
};

// Collective; options.codec is not `none`. `tensors` are in the order of the arena, which has `arena_floats` floats.
[[nodiscard]] std::unique_ptr<Compression> make_compression(Communicator& communicator,
                                                            const CompressionOptions& options,
                                                            std::vector<CompressibleTensor> tensors,
                                                            std::size_t arena_floats);

}  // namespace convoy
