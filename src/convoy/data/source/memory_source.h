// A source whose images are all in memory as bytes: MNIST, CIFAR.
#pragma once

#include <string>
#include <vector>

#include "convoy/data/byte_file.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

// Images one after the other, as planes of CxHxW, and the label of each.
struct Samples {
  Bytes pixels;
  std::vector<std::int32_t> labels;
};

class MemorySource : public Source {
 public:
  // Throws UserError unless each split has labels.size() * shape.count() bytes of pixels and every label is a class.
  MemorySource(std::string name, Shape shape, std::vector<std::string> classes, Samples train, Samples test,
               ChannelStatistics statistics);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Shape shape() const override { return shape_; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] std::int64_t size(Split split) const override;
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override;
  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override;
  [[nodiscard]] std::span<const std::uint8_t> view(Split split, std::int64_t i) const override;
  [[nodiscard]] ChannelStatistics statistics() const override { return statistics_; }

 private:
  [[nodiscard]] const Samples& samples(Split split) const { return split == Split::train ? train_ : test_; }

  std::string name_;
  Shape shape_;
  std::vector<std::string> classes_;
  Samples train_;
  Samples test_;
  ChannelStatistics statistics_;
};

// The same images, resized to size x size.
[[nodiscard]] Samples resized(const Samples& samples, const Shape& shape, std::int64_t size);

}  // namespace convoy::data
