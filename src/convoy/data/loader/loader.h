// Makes the batches of a split ahead of time on its own threads: reads, augments and normalises samples, in order.
#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include "convoy/base/mutex.h"
#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/augmenter.h"
#include "convoy/data/augment/mixing.h"
#include "convoy/data/loader/sampler.h"
#include "convoy/data/source/source.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy::data {

struct LoaderOptions {
  Split split = Split::train;  // test data is neither shuffled nor augmented nor repeated
  AugmentOptions augment;
  MixOptions mix;                 // mixing with other samples; not for test data
  ChannelStatistics statistics;   // images are normalised by these; empty: by the source's own
  std::int64_t global_batch = 1;  // samples of a step, over all ranks
  int instances = 1;              // batch augmentation: how many rows of a batch each sample fills
  std::uint64_t seed = 0;
  int rank = 0;
  int size = 1;
  int grains = 0;               // as in SamplerOptions
  int threads = 1;              // 0: the caller makes batches itself, in next()
  int ahead = 2;                // how many batches may be ready or in the making before they are asked for
  std::int64_t first_step = 0;  // counted over all epochs of training
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  // one after the last
};

// The second class of an image that is mixed from two samples, and its share; zeros for other images.
struct SecondLabel {
  std::int32_t label = 0;
  float share = 0;

  bool operator==(const SecondLabel&) const = default;
};

// One rank's rows of a step. The memory belongs to the loader.
struct Batch {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::int64_t global_rows = 0;   // over all ranks
  std::int64_t first_row = 0;     // the index of this rank's first row among them
  std::span<const float> images;  // rows x C x H x W
  std::span<const std::int32_t> labels;
  std::span<const SecondLabel> second_labels;
  std::span<const std::int64_t> samples;
  double waited_seconds = 0;  // how long the caller waited for this batch
};

// Thread rule: one caller at a time; the loader has its own threads. Batches do not depend on how many.
//
// Batch k is made in slot k mod slots, in chunks of rows that threads claim in order. Invariants, under mutex_:
// 1. taken_ <= claim_step_ <= taken_ + slots: a slot is refilled only when the caller is done with its batch (then
//    taken_ grows), so threads are ahead by at most the number of slots.
// 2. A chunk is claimed once. The thread that claimed it writes its rows without the lock, and the caller reads them
//    after the slot's `chunks_left` is 0, which both see under the lock. This is the one rule that clang does not
//    check.
// 3. A chunk that throws leaves its error in the slot and counts as done; if several throw, the error of the first
//    chunk wins.
// 4. stopping_ is never reset; a thread that sees it claims nothing more.
class Loader {
 public:
  // `source` must outlive the loader. Throws UserError for options out of range.
  Loader(const Source& source, const LoaderOptions& options);
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // Stops at once: waits only for the chunk that each thread is making.
  ~Loader();

  // The next batch, valid until the next call, or null after the last step. Throws what reading or making it threw; the
  // call after that returns the following batch.
  [[nodiscard]] const Batch* next();

  [[nodiscard]] std::int64_t steps_per_epoch() const { return sampler_.steps_per_epoch(); }

  // How long all calls of next() took together.
  [[nodiscard]] double waited_seconds() const { return waited_seconds_; }

 private:
  struct Slot {
    AlignedBuffer images;
    std::vector<std::int32_t> labels;
    std::vector<SecondLabel> second_labels;
    std::vector<std::int64_t> samples;
  };
  // How far the batch in a slot is.
  struct Progress {
    std::int64_t chunks_left = 0;
    std::int64_t failed_chunk = 0;
    std::exception_ptr error;
  };
  struct Chunk {
    std::int64_t step = 0;
    std::int64_t index = 0;
  };
  struct Maker {
    Augmenter::Scratch scratch;
    std::vector<std::uint8_t> pixels;
    std::vector<std::uint8_t> other_pixels;
    std::vector<float> other_values;
  };

  [[nodiscard]] std::size_t place_of(std::int64_t step) const;
  [[nodiscard]] Slot& slot_of(std::int64_t step) { return slots_[place_of(step)]; }
  [[nodiscard]] Progress& progress_of(std::int64_t step) CONVOY_REQUIRES(mutex_) { return progress_[place_of(step)]; }
  [[nodiscard]] static std::int64_t chunks_of(const LocalBatch& batch);
  void run();
  [[nodiscard]] bool can_claim() const CONVOY_REQUIRES(mutex_);
  [[nodiscard]] Chunk claim() CONVOY_REQUIRES(mutex_);
  void make(const Chunk& chunk, Maker& maker);
  void make_rows(const LocalBatch& batch, Slice rows, Slot& slot, Maker& maker) const;
  void make_row(const Row& row, std::int64_t epoch, std::span<const std::uint8_t> pixels, std::span<float> values,
                Maker& maker) const;
  [[nodiscard]] std::span<const std::uint8_t> pixels_of(std::int64_t sample, std::vector<std::uint8_t>& memory) const;
  [[nodiscard]] SecondLabel mix_row(const Row& row, std::int64_t epoch, std::span<float> values, Maker& maker) const;
  void finish(const Chunk& chunk, std::exception_ptr error);
  // Waits until the batch is complete. Returns what making it threw, or null.
  [[nodiscard]] std::exception_ptr await(std::int64_t step);
  void make_here(std::int64_t step);
  void describe(std::int64_t step);
  void stop();

  const Source& source_;
  LoaderOptions options_;
  Sampler sampler_;
  Augmenter augmenter_;
  Augmenter other_augmenter_;  // for the samples that are mixed into others
  std::int64_t image_count_;
  std::vector<Slot> slots_;

  Mutex mutex_;
  ConditionVariable room_;                                    // signals that a slot was given back, or stopping
  ConditionVariable ready_;                                   // signals that a batch is complete
  std::vector<Progress> progress_ CONVOY_GUARDED_BY(mutex_);  // one entry per slot
  std::int64_t claim_step_ CONVOY_GUARDED_BY(mutex_);         // the step of the next chunk to claim
  std::int64_t claim_chunk_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::int64_t taken_ CONVOY_GUARDED_BY(mutex_);  // the caller is done with all steps before this one
  bool stopping_ CONVOY_GUARDED_BY(mutex_) = false;

  // Used only by the caller.
  std::int64_t next_step_;
  Batch batch_;
  double waited_seconds_ = 0;
  Maker caller_;

  std::vector<std::thread> threads_;
};

}  // namespace convoy::data
