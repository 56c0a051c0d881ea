#include "convoy/optim/sgd.h"

#include <omp.h>

#include <cstdint>

#include "convoy/base/check.h"

// Sanitizers cannot follow the resolver that picks a clone while the program is being loaded.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define CONVOY_CLONES
#else
#define CONVOY_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif

namespace convoy {
namespace {

CONVOY_CLONES void update_range(const SgdOptions& options, std::int64_t count, float* __restrict p,
                                const float* __restrict g, float* __restrict v) {
  const float momentum = options.momentum;
  const float decay = options.weight_decay;
  const float rate = options.learning_rate;
  for (std::int64_t i = 0; i < count; ++i) {
    const float velocity = momentum * v[i] + (g[i] + decay * p[i]);
    v[i] = velocity;
    p[i] -= rate * velocity;
  }
}

}  // namespace

Sgd::Sgd(std::size_t arena_floats, const SgdOptions& options)
    : options_(options), velocity_(arena_floats * sizeof(float)) {}

void Sgd::update(std::size_t offset, std::span<float> parameters, std::span<const float> gradients) {
  CONVOY_CHECK_EQ(parameters.size(), gradients.size());
  CONVOY_CHECK_LE(offset + parameters.size(), velocity_.floats().size());
  constexpr std::int64_t kGrain = 16384;
  const auto count = static_cast<std::int64_t>(parameters.size());
  float* velocity = velocity_.floats().data() + offset;
  // libgomp allocates and frees a team for every parallel region of one thread, so a small slice starts none.
  if (count <= kGrain || omp_get_max_threads() == 1) {
    update_range(options_, count, parameters.data(), gradients.data(), velocity);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < count; first += kGrain) {
    const std::int64_t length = first + kGrain < count ? kGrain : count - first;
    update_range(options_, length, parameters.data() + first, gradients.data() + first, velocity + first);
  }
}

}  // namespace convoy
