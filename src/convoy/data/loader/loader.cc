#include "convoy/data/loader/loader.h"

#include <algorithm>
#include <utility>

#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/base/rng.h"

namespace convoy::data {
namespace {

// Keep the draws for mixing independent of others with the same seed.
constexpr std::uint64_t kMixStream = 0x6d69787475726573;
constexpr std::uint64_t kOtherAugmentation = 0x6f7468657273;

// Small enough that several threads share a batch, large enough that taking the lock costs nothing.
constexpr std::int64_t kRowsOfChunk = 16;

LoaderOptions effective(const Source& source, LoaderOptions options) {
  if (options.threads < 0) throw UserError("the loader's threads must not be negative, got {}", options.threads);
  if (options.first_step < 0) throw UserError("there is no step {}: steps count from 0", options.first_step);
  if (options.ahead < 1) throw UserError("the loader must keep at least 1 batch ahead, got {}", options.ahead);
  if (options.split == Split::test) {
    options.augment = {};
    options.mix = {};
    options.instances = 1;
  }
  validate(options.mix);
  if (options.statistics.mean.empty()) options.statistics = source.statistics();
  return options;
}

SamplerOptions sampler_options(const Source& source, const LoaderOptions& options) {
  return {.samples = source.size(options.split),
          .global_batch = options.global_batch,
          .instances = options.instances,
          .shuffle = options.split == Split::train,
          .seed = options.seed,
          .rank = options.rank,
          .size = options.size,
          .grains = options.grains};
}

// One more than the batches made ahead, because the caller holds one.
std::size_t slots_for(const LoaderOptions& options) {
  return options.threads == 0 ? 1 : static_cast<std::size_t>(options.ahead) + 1;
}

}  // namespace

Loader::Loader(const Source& source, const LoaderOptions& options)
    : source_(source),
      options_(effective(source, options)),
      sampler_(sampler_options(source, options_)),
      augmenter_(options_.augment, source.shape(), options_.statistics, options_.seed),
      other_augmenter_(options_.augment, source.shape(), options_.statistics, options_.seed ^ kOtherAugmentation),
      image_count_(source.shape().count()),
      slots_(slots_for(options_)),
      progress_(slots_.size()),
      claim_step_(options_.first_step),
      taken_(options_.first_step),
      next_step_(options_.first_step) {
  const auto rows = static_cast<std::size_t>(sampler_.most_rows());
  for (Slot& slot : slots_) {
    slot.images = AlignedBuffer(rows * static_cast<std::size_t>(image_count_) * sizeof(float));
    slot.labels.resize(rows);
    slot.second_labels.resize(rows);
    slot.samples.resize(rows);
  }
  caller_.pixels.resize(static_cast<std::size_t>(image_count_));
  try {
    for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { run(); });
  } catch (...) {
    stop();
    throw;
  }
}

Loader::~Loader() { stop(); }

void Loader::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

std::size_t Loader::place_of(std::int64_t step) const {
  return static_cast<std::size_t>(step % static_cast<std::int64_t>(slots_.size()));
}

// A batch without rows still has one chunk, so that a thread claims and completes it.
std::int64_t Loader::chunks_of(const LocalBatch& batch) {
  return std::max<std::int64_t>(1, (batch.rows().count + kRowsOfChunk - 1) / kRowsOfChunk);
}

void Loader::run() {
  Maker maker;
  maker.pixels.resize(static_cast<std::size_t>(image_count_));
  while (true) {
    Chunk chunk;
    {
      MutexLock lock(mutex_);
      while (!stopping_ && claim_step_ < options_.last_step && !can_claim()) room_.wait(lock);
      if (stopping_ || claim_step_ >= options_.last_step) return;
      chunk = claim();
    }
    make(chunk, maker);
  }
}

bool Loader::can_claim() const { return claim_step_ < taken_ + static_cast<std::int64_t>(slots_.size()); }

Loader::Chunk Loader::claim() {
  const Chunk chunk{.step = claim_step_, .index = claim_chunk_};
  const std::int64_t chunks = chunks_of(sampler_.batch(chunk.step));
  if (chunk.index == 0) {
    Progress& progress = progress_of(chunk.step);
    progress.chunks_left = chunks;
    progress.error = nullptr;
  }
  if (++claim_chunk_ == chunks) {
    claim_chunk_ = 0;
    // Threads that wait for room would otherwise not notice that all steps are claimed.
    if (++claim_step_ >= options_.last_step) room_.notify_all();
  }
  return chunk;
}

void Loader::make(const Chunk& chunk, Maker& maker) {
  std::exception_ptr error;
  try {
    const LocalBatch batch = sampler_.batch(chunk.step);
    const std::int64_t begin = chunk.index * kRowsOfChunk;
    const std::int64_t count = std::min(kRowsOfChunk, batch.rows().count - begin);
    make_rows(batch, {.begin = begin, .count = count}, slot_of(chunk.step), maker);
  } catch (...) {
    error = std::current_exception();
  }
  finish(chunk, std::move(error));
}

void Loader::make_rows(const LocalBatch& batch, Slice rows, Slot& slot, Maker& maker) const {
  const auto size = static_cast<std::size_t>(image_count_);
  const std::span<float> images = slot.images.floats();
  std::span<const std::uint8_t> pixels;
  std::int64_t sample_of_pixels = -1;
  for (std::int64_t i = rows.begin; i < rows.begin + rows.count; ++i) {
    const Row row = batch.row(i);
    const auto place = static_cast<std::size_t>(i);
    if (row.sample != sample_of_pixels) {  // instances of a sample are neighbours, so its pixels are read only once
      pixels = pixels_of(row.sample, maker.pixels);
      sample_of_pixels = row.sample;
    }
    const std::span<float> values = images.subspan(place * size, size);
    make_row(row, batch.epoch(), pixels, values, maker);
    slot.second_labels[place] = options_.mix.any() ? mix_row(row, batch.epoch(), values, maker) : SecondLabel{};
    slot.labels[place] = source_.label(options_.split, row.sample);
    slot.samples[place] = row.sample;
  }
}

void Loader::make_row(const Row& row, std::int64_t epoch, std::span<const std::uint8_t> pixels, std::span<float> values,
                      Maker& maker) const {
  if (options_.split == Split::test) {
    augmenter_.normalise(pixels, values);
  } else {
    augmenter_.apply(pixels, {.epoch = epoch, .sample = row.sample, .instance = row.instance}, values, maker.scratch);
  }
}

// The pixels in the source's own memory if possible, otherwise read into `memory`.
std::span<const std::uint8_t> Loader::pixels_of(std::int64_t sample, std::vector<std::uint8_t>& memory) const {
  const std::span<const std::uint8_t> view = source_.view(options_.split, sample);
  if (!view.empty()) return view;
  memory.resize(static_cast<std::size_t>(image_count_));
  source_.read(options_.split, sample, memory);
  return memory;
}

// The other sample may be any of the split and is augmented for this row. Everything follows from the row's own
// numbers, so it does not matter which rank or thread makes it, or what else is in the batch.
SecondLabel Loader::mix_row(const Row& row, std::int64_t epoch, std::span<float> values, Maker& maker) const {
  const auto words = philox(options_.seed, kMixStream, static_cast<std::uint64_t>(epoch));
  Rng rng(std::uint64_t{words[0]} << 32U | words[1],
          static_cast<std::uint64_t>(row.sample) << 16U | static_cast<std::uint64_t>(row.instance));
  const Shape& shape = source_.shape();
  const std::int64_t other = rng.below(static_cast<std::uint32_t>(source_.size(options_.split)));
  const Mixture mixture = draw_mixture(options_.mix, static_cast<int>(shape[1]), static_cast<int>(shape[2]), rng);
  if (mixture.share == 0) return {};
  maker.other_values.resize(values.size());
  other_augmenter_.apply(pixels_of(other, maker.other_pixels),
                         {.epoch = epoch, .sample = row.sample, .instance = row.instance}, maker.other_values,
                         maker.scratch);
  mix(mixture, shape, maker.other_values, values);
  return {.label = source_.label(options_.split, other), .share = mixture.share};
}

void Loader::finish(const Chunk& chunk, std::exception_ptr error) {
  bool complete = false;
  {
    const MutexLock lock(mutex_);
    Progress& progress = progress_of(chunk.step);
    if (error && (!progress.error || chunk.index < progress.failed_chunk)) {
      progress.failed_chunk = chunk.index;
      progress.error = std::move(error);
    }
    complete = --progress.chunks_left == 0;
  }
  if (complete) ready_.notify_one();
}

const Batch* Loader::next() {
  {
    const MutexLock lock(mutex_);
    taken_ = next_step_;  // gives back the batch that was handed out before
  }
  room_.notify_all();
  if (next_step_ >= options_.last_step) return nullptr;
  const Clock::time_point begin = Clock::now();
  const std::int64_t step = next_step_++;
  if (options_.threads == 0) make_here(step);
  const std::exception_ptr error = await(step);
  const double waited = seconds_since(begin);
  waited_seconds_ += waited;
  if (error) std::rethrow_exception(error);
  // The batch is complete; no thread touches its slot before it is given back.
  describe(step);
  batch_.waited_seconds = waited;
  return &batch_;
}

std::exception_ptr Loader::await(std::int64_t step) {
  MutexLock lock(mutex_);
  // Waits until all chunks are claimed and none is unfinished.
  while (claim_step_ <= step || progress_of(step).chunks_left > 0) ready_.wait(lock);
  return std::exchange(progress_of(step).error, nullptr);
}

void Loader::make_here(std::int64_t step) {
  for (;;) {
    Chunk chunk;
    {
      const MutexLock lock(mutex_);
      if (claim_step_ != step) return;
      chunk = claim();
    }
    make(chunk, caller_);
  }
}

void Loader::describe(std::int64_t step) {
  const LocalBatch local = sampler_.batch(step);
  const Slot& slot = slot_of(step);
  const auto rows = static_cast<std::size_t>(local.rows().count);
  batch_ = {.step = step,
            .epoch = local.epoch(),
            .global_rows = local.global_rows(),
            .first_row = local.rows().begin,
            .images = slot.images.floats().first(rows * static_cast<std::size_t>(image_count_)),
            .labels = std::span(slot.labels).first(rows),
            .second_labels = std::span(slot.second_labels).first(rows),
            .samples = std::span(slot.samples).first(rows)};
}

}  // namespace convoy::data
