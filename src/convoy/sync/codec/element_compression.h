// Compression by a codec that works value by value, so that tensors may be cut anywhere.
#pragma once

#include <memory>

#include "convoy/sync/codec/codec.h"
#include "convoy/sync/codec/coded_all_reduce.h"
#include "convoy/sync/codec/compression.h"

namespace convoy {

class ElementCompression final : public Compression {
 public:
  // Collective.
  ElementCompression(Communicator& communicator, std::unique_ptr<Codec> codec,
                     const std::vector<CompressibleTensor>& tensors, std::size_t arena_floats);

  [[nodiscard]] std::string description() const override { return codec_->description(); }
  void sum(Endpoint& nodes, std::size_t offset, std::span<float> values) override;
  [[nodiscard]] std::span<float> error() override { return error_; }

 private:
  void plan_pieces(const ArenaSlice& slice);
  void clear_padding(std::size_t offset, std::span<float> values) const;

  std::unique_ptr<Codec> codec_;
  std::unique_ptr<Codec> plain_;
  std::vector<CodedPiece> arena_;  // which codec each part of the arena uses, in order, without gaps
  std::vector<ArenaSlice> padding_;
  std::span<float> error_;
  CodedAllReduce all_reduce_;
  std::vector<CodedPiece> pieces_;  // the same for the values that are being summed
};

// Memory that is laid out like the gradients and that the ranks of a node share. Collective.
[[nodiscard]] std::span<float> shared_error(Communicator& communicator, std::size_t arena_floats);

}  // namespace convoy
