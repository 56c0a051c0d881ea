#include "convoy/data/source/subset_source.h"

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/data/permutation.h"

namespace convoy::data {
namespace {

// The first samples of a fixed random order of all samples.
std::vector<std::int64_t> draw(const Source& source, Split split, std::int64_t wanted, std::uint64_t seed) {
  const std::int64_t all = source.size(split);
  const bool is_train = split == Split::train;
  if (wanted < 0 || wanted > all) {
    throw UserError("{} must be 1 to {}, which is all there is, or 0; got {}",
                    is_train ? "train-samples" : "test-samples", grouped_text(all), wanted);
  }
  const Permutation order(std::max<std::int64_t>(all, 1), seed, is_train ? 0 : 1);
  std::vector<std::int64_t> samples(static_cast<std::size_t>(wanted == 0 ? all : wanted));
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = order(static_cast<std::int64_t>(i));
  return samples;
}

class SubsetSource : public Source {
 public:
  SubsetSource(std::unique_ptr<Source> source, SampleLists samples)
      : source_(std::move(source)), samples_(std::move(samples)) {}

  [[nodiscard]] std::string name() const override { return source_->name(); }
  [[nodiscard]] Shape shape() const override { return source_->shape(); }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return source_->classes(); }
  [[nodiscard]] std::int64_t size(Split split) const override { return static_cast<std::int64_t>(list(split).size()); }
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override {
    return source_->label(split, place(split, i));
  }
  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override {
    source_->read(split, place(split, i), pixels);
  }
  [[nodiscard]] std::span<const std::uint8_t> view(Split split, std::int64_t i) const override {
    return source_->view(split, place(split, i));
  }
  // Statistics of the whole source, so that a part is normalised in the same way.
  [[nodiscard]] ChannelStatistics statistics() const override { return source_->statistics(); }

 private:
  [[nodiscard]] const std::vector<std::int64_t>& list(Split split) const {
    return split == Split::train ? samples_.train : samples_.test;
  }
  [[nodiscard]] std::int64_t place(Split split, std::int64_t i) const {
    require_sample(split, i);
    return list(split)[static_cast<std::size_t>(i)];
  }

  std::unique_ptr<Source> source_;
  SampleLists samples_;
};

}  // namespace

std::unique_ptr<Source> take_subset(std::unique_ptr<Source> source, const SubsetOptions& options) {
  if (options.train == 0 && options.test == 0) return source;
  SampleLists samples{.train = draw(*source, Split::train, options.train, options.seed),
                      .test = draw(*source, Split::test, options.test, options.seed)};
  return take_samples(std::move(source), std::move(samples));
}

std::unique_ptr<Source> take_samples(std::unique_ptr<Source> source, SampleLists samples) {
  return std::make_unique<SubsetSource>(std::move(source), std::move(samples));
}

}  // namespace convoy::data
