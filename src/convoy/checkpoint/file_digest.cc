#include "convoy/checkpoint/file_digest.h"

#include <fmt/format.h>

#include <algorithm>

// Inlined, so that the compiler can optimise it and there is no library to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "convoy/base/file/input_file.h"

namespace convoy {

struct Digester::State {
  XXH3_state_t hash;
};

Digester::Digester() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }

Digester::~Digester() = default;

void Digester::add(std::string_view bytes) {
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
  bytes_ += static_cast<std::int64_t>(bytes.size());
}

FileDigest Digester::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
  return {bytes_, fmt::format("{:016x}{:016x}", hash.high64, hash.low64)};
}

FileDigest digest_of(std::string_view bytes) {
  Digester digester;
  digester.add(bytes);
  return digester.digest();
}

FileDigest digest_of_file(const std::filesystem::path& path) {
  InputFile file(path);
  Digester digester;
  std::string piece;
  for (std::uint64_t left = file.size_bytes(); left > 0; left -= piece.size()) {
    piece.resize(std::min<std::uint64_t>(left, 1U << 20U));
    file.read(std::as_writable_bytes(std::span(piece)));
    digester.add(piece);
  }
  return digester.digest();
}

}  // namespace convoy
