// Where samples come from: a fixed list of labelled images for training and one for testing. A source hands out pixels
// as they are; order, augmentation and normalisation are other files' business.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/tensor/shape.h"

namespace convoy::data {

enum class Split : std::uint8_t { train, test };

// What the pixels of a source look like on average, each channel scaled to [0, 1].
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

  // What the user called it: "cifar10", "folder:photos".
  [[nodiscard]] virtual std::string name() const = 0;

  // The shape of every image it hands out, CxHxW. Images of other sizes have been resized and cropped to it.
  [[nodiscard]] virtual Shape shape() const = 0;

  // Names of the classes, by label.
  [[nodiscard]] virtual const std::vector<std::string>& classes() const = 0;

  [[nodiscard]] virtual std::int64_t size(Split split) const = 0;

  // The class of sample i. This and the following throw UserError when there is no sample i.
  [[nodiscard]] virtual std::int32_t label(Split split, std::int64_t i) const = 0;

  // Writes sample i as bytes, planes of CxHxW; `pixels` has exactly shape().count() bytes, else UserError. Throws
  // DataError with the file's name (and offset) when it cannot be read.
  virtual void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const = 0;

  // Sample i where it lies in memory in that form, or empty where it has to be read: saves a copy.
  [[nodiscard]] virtual std::span<const std::uint8_t> view(Split split, std::int64_t i) const {
    (void)split;
    (void)i;
    return {};
  }

  // Of the training images; published values where they are known, computed and remembered otherwise.
  [[nodiscard]] virtual ChannelStatistics statistics() const = 0;

 protected:
  // For those that implement it: what the caller gave is refused with the source's name and shape.
  void require_sample(Split split, std::int64_t i) const;
  void require_room(std::size_t bytes) const;
};

}  // namespace convoy::data
