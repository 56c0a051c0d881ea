#include "convoy/data/source/subset_source.h"

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/data/permutation.h"

namespace convoy::data {
namespace {

// The first `size` samples of a fixed random order of all samples.
struct SubsetPart {
  std::int64_t size;
  Permutation order;
};

SubsetPart make_part(const Source& source, Split split, std::int64_t wanted, std::uint64_t seed) {
  const std::int64_t all = source.size(split);
  const bool is_train = split == Split::train;
  if (wanted < 0 || wanted > all) {
    throw UserError("{} must be 1 to {}, which is all there is, or 0; got {}",
                    is_train ? "train-samples" : "test-samples", grouped_text(all), wanted);
  }
  return {wanted == 0 ? all : wanted, Permutation(std::max<std::int64_t>(all, 1), seed, is_train ? 0 : 1)};
}

class SubsetSource : public Source {
 public:
  SubsetSource(std::unique_ptr<Source> source, const SubsetOptions& options)
      : source_(std::move(source)),
        train_(make_part(*source_, Split::train, options.train, options.seed)),
        test_(make_part(*source_, Split::test, options.test, options.seed)) {}

  [[nodiscard]] std::string name() const override { return source_->name(); }
  [[nodiscard]] Shape shape() const override { return source_->shape(); }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return source_->classes(); }
  [[nodiscard]] std::int64_t size(Split split) const override { return part(split).size; }
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
  [[nodiscard]] const SubsetPart& part(Split split) const { return split == Split::train ? train_ : test_; }
  [[nodiscard]] std::int64_t place(Split split, std::int64_t i) const {
    require_sample(split, i);
    return part(split).order(i);
  }

  std::unique_ptr<Source> source_;
  SubsetPart train_;
  SubsetPart test_;
};

}  // namespace

std::unique_ptr<Source> take_subset(std::unique_ptr<Source> source, const SubsetOptions& options) {
  if (options.train == 0 && options.test == 0) return source;
  return std::make_unique<SubsetSource>(std::move(source), options);
}

}  // namespace convoy::data
