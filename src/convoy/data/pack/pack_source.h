// A source over a pack: samples are where they lie in the mapped file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/data/pack/pack_file.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

class PackSource : public Source {
 public:
  // Throws as PackFile does.
  explicit PackSource(const std::filesystem::path& path) : pack_(path) {}

  [[nodiscard]] std::string name() const override { return pack_.info().source; }
  [[nodiscard]] Shape shape() const override { return pack_.info().shape; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return pack_.info().classes; }
  [[nodiscard]] std::int64_t size(Split split) const override {
    return split == Split::train ? pack_.info().train_count : pack_.info().test_count;
  }
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override {
    require_sample(split, i);
    return pack_.label(split, i);
  }
  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override;
  // Throws DataError when the image is corrupt.
  [[nodiscard]] std::span<const std::uint8_t> view(Split split, std::int64_t i) const override {
    require_sample(split, i);
    return pack_.pixels(split, i);
  }
  [[nodiscard]] ChannelStatistics statistics() const override { return pack_.info().statistics; }

  [[nodiscard]] const PackFile& pack() const { return pack_; }

 private:
  PackFile pack_;
};

}  // namespace convoy::data
