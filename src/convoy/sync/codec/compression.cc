#include "convoy/sync/codec/compression.h"

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/name_index.h"
#include "convoy/sync/codec/element_compression.h"
#include "convoy/sync/codec/power_sgd.h"

namespace convoy {
namespace {

constexpr std::size_t kInt8Block = 256;
constexpr std::size_t kOnebitBlock = 1024;

}  // namespace

const std::vector<std::string>& codec_names() {
  static const std::vector<std::string> names = {"none", "bf16", "fp16", "int8", "onebit", "topk", "powersgd"};
  return names;
}

CodecKind codec_named(std::string_view text) {
  return static_cast<CodecKind>(name_index("codec", text, codec_names()));
}

bool keeps_error(CodecKind codec) {
  return codec == CodecKind::onebit || codec == CodecKind::topk || codec == CodecKind::powersgd;
}

void check_options(const CompressionOptions& options) {
  if (options.after < 0) throw UserError("--compress-after must be at least 0, got {}", options.after);
  if (options.block % 64 != 0) throw UserError("--compress-block must be a multiple of 64, got {}", options.block);
  if (!(options.share > 0 && options.share <= 1)) {
    throw UserError("--compress-share must be above 0 and at most 1, got {}", options.share);
  }
  if (options.rank < 1) throw UserError("--compress-rank must be at least 1, got {}", options.rank);
}

std::unique_ptr<Codec> make_codec(const CompressionOptions& options) {
  const auto block = [&](std::size_t usual) { return options.block == 0 ? usual : options.block; };
  switch (options.codec) {
    case CodecKind::bf16:
      return make_bf16_codec();
    case CodecKind::fp16:
      return make_fp16_codec();
    case CodecKind::int8:
      return make_int8_codec(block(kInt8Block));
    case CodecKind::onebit:
      return make_onebit_codec(block(kOnebitBlock));
    case CodecKind::topk:
      return make_topk_codec(options.share);
    case CodecKind::none:
    case CodecKind::powersgd:
      break;
  }
  return make_plain_codec();
}

std::size_t encoded_bytes(const CompressionOptions& options, std::size_t rows, std::size_t columns) {
  const std::size_t all = rows * columns;
  if (options.codec != CodecKind::powersgd) return make_codec(options)->encoded_bytes(all);
  return std::min(all, static_cast<std::size_t>(options.rank) * (rows + columns)) * sizeof(float);
}

std::unique_ptr<Compression> make_compression(Communicator& communicator, const CompressionOptions& options,
                                              std::vector<CompressibleTensor> tensors, std::size_t arena_floats) {
  check_options(options);
  if (options.codec == CodecKind::powersgd) {
    return std::make_unique<PowerSgd>(communicator, options.rank, std::move(tensors), arena_floats);
  }
  return std::make_unique<ElementCompression>(communicator, make_codec(options), std::move(tensors), arena_floats);
}

}  // namespace convoy
