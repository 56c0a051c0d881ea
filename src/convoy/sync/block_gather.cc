#include "convoy/sync/block_gather.h"

#include <utility>

namespace convoy {

// The matrices, seen as one block per rank.
struct BlockGather::Blocks {
  std::span<const std::span<float>> matrices;
  const Codec& codec;
  std::size_t ranks;

  // Calls visit(values, offset, bytes) for a rank's block of each matrix: its values, and where in a message their
  // encoding is.
  template <typename Visit>
  void visit(int rank, const Visit& visit_one) const {
    std::size_t at = 0;
    for (const std::span<float> matrix : matrices) {
      const std::size_t count = matrix.size() / ranks;
      const std::size_t bytes = codec.encoded_bytes(count);
      visit_one(matrix.subspan(static_cast<std::size_t>(rank) * count, count), at, bytes);
      at += bytes;
    }
  }

  [[nodiscard]] std::size_t message_bytes() const {
    std::size_t total = 0;
    visit(0, [&](std::span<float>, std::size_t, std::size_t bytes) { total += bytes; });
    return total;
  }

  void encode(int rank, CodedMessage& message) const {
    const std::span<std::byte> contents = message.resize(message_bytes());
    visit(rank, [&](std::span<float> values, std::size_t at, std::size_t bytes) {
      codec.encode(values, contents.subspan(at, bytes));
    });
  }

  void decode(int rank, const CodedMessage& message) const {
    visit(rank, [&](std::span<float> values, std::size_t at, std::size_t bytes) {
      codec.decode(message.contents().subspan(at, bytes), values);
    });
  }
};

BlockGather::BlockGather(Communicator& communicator, std::unique_ptr<Codec> codec)
    : communicator_(communicator), codec_(std::move(codec)), plain_(make_plain_codec()) {}

std::size_t BlockGather::message_bytes(std::size_t floats, bool encoded) const {
  return (encoded && codec_ ? *codec_ : *plain_).encoded_bytes(floats);
}

void BlockGather::gather(std::span<const std::span<float>> matrices, bool encoded, std::uint64_t subject) {
  const bool is_lossy = encoded && codec_ != nullptr;
  const int ranks = communicator_.size();
  const int rank = communicator_.rank();
  const Blocks blocks{
      .matrices = matrices, .codec = is_lossy ? *codec_ : *plain_, .ranks = static_cast<std::size_t>(ranks)};
  const auto subject_of = [&](int of) { return subject * static_cast<std::uint64_t>(ranks) + of; };
  blocks.encode(rank, out_);
  out_.seal(subject_of(rank));
  if (is_lossy) blocks.decode(rank, out_);
  for (int step = 1; step < ranks; ++step) {
    const int arriving = (rank + ranks - step) % ranks;
    (void)in_.resize(blocks.message_bytes());
    exchange(communicator_.transport(), (rank + 1) % ranks, out_, (rank + ranks - 1) % ranks, in_, subject_of(arriving),
             communicator_.nodes());
    blocks.decode(arriving, in_);
    std::swap(out_, in_);  // it is passed on as it came, with its header
  }
}

}  // namespace convoy
