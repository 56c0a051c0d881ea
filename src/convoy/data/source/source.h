// Where samples come from: a fixed list of labelled images for training and one for testing. A source hands out
// unchanged pixels; order, augmentation and normalisation are done elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/tensor/shape.h"

namespace convoy::data {

enum class Split : std::uint8_t { train, test };

// Mean and deviation of a source's pixels, by channel, scaled to [0, 1].
struct ChannelStatistics {
  std::vector<float> mean;
  std::vector<float> deviation;
};

// Thread rule: everything is const and may be called from several threads at once.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // What the user called the source: "cifar10", "folder:photos".
  [[nodiscard]] virtual std::string name() const = 0;

  // The shape of every image, CxHxW. Images of other sizes are resized and cropped to it.
  [[nodiscard]] virtual Shape shape() const = 0;

  // Names of the classes, by label.
  [[nodiscard]] virtual const std::vector<std::string>& classes() const = 0;

  [[nodiscard]] virtual std::int64_t size(Split split) const = 0;

  // The class of sample i. This and the functions below throw UserError when there is no sample i.
  [[nodiscard]] virtual std::int32_t label(Split split, std::int64_t i) const = 0;

  // Writes sample i as bytes, in planes of CxHxW; throws UserError unless `pixels` has exactly shape().count() bytes.
  // Throws DataError with the file's name (and offset) when it cannot be read.
  virtual void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const = 0;

  // Sample i in that form, where the source has it in memory, which saves a copy; empty if it must be read.
  [[nodiscard]] virtual std::span<const std::uint8_t> view(Split split, std::int64_t i) const {
    (void)split;
    (void)i;
    return {};
  }

  // Of the training images: published values where they are known, otherwise computed and cached.
  [[nodiscard]] virtual ChannelStatistics statistics() const = 0;

 protected:
  // For implementations: throw UserError with the source's name and shape for a wrong sample or size.
  void require_sample(Split split, std::int64_t i) const;
  void require_room(std::size_t bytes) const;
};

}  // namespace convoy::data
