#include "convoy/engine/network.h"

#include <numeric>

#include "convoy/base/check.h"
#include "convoy/engine/memory_limit.h"

namespace convoy {
namespace {

std::unique_ptr<ParameterStore> own_parameters(const Plan& plan) {
  return std::make_unique<ParameterStore>(plan.device, plan.parameters);
}

AlignedBuffer working_memory(const Plan& plan) {
  check_fits_in_memory(plan.batch, plan.working_bytes());
  return AlignedBuffer(plan.working_bytes());
}

}  // namespace

Network::Network(Graph graph, const CompileOptions& options) : Network(graph, compile(graph, options), nullptr) {}

Network::Network(Graph graph, Plan plan, std::unique_ptr<ParameterStore> parameters)
    : graph_(std::move(graph)),
      parameters_(parameters == nullptr ? own_parameters(plan) : std::move(parameters)),
      working_(working_memory(plan)),
      step_info_(std::make_unique<StepInfo>()) {
  full_ = active_ = &executor_for(std::move(plan));
}

Executor& Network::executor_for(Plan plan) {
  std::span<std::byte> working(working_.data(), working_.size_bytes());
  if (plan.working_bytes() > working.size()) {
    extra_.emplace_back(plan.working_bytes());
    working = {extra_.back().data(), extra_.back().size_bytes()};
  }
  const std::int64_t batch = plan.batch;
  auto executor = std::make_unique<Executor>(std::move(plan), *parameters_, *step_info_, working);
  return *(executors_[batch] = std::move(executor));
}

void Network::use_batch(std::int64_t batch) {
  CONVOY_CHECK_LE(1, batch);
  CONVOY_CHECK_LE(batch, full_->plan().batch);
  if (const auto at = executors_.find(batch); at != executors_.end()) {
    active_ = at->second.get();
    return;
  }
  const Plan& full = full_->plan();
  active_ = &executor_for(compile(graph_, {.batch = batch,
                                           .training = full.training,
                                           .exact = full.exact,
                                           .fuse = full.fuse,
                                           .choices = &full.choices,
                                           .parameters = &full.parameters,
                                           .frozen = full.frozen,
                                           .device = full.device}));
}

void Network::forward(StepInfo info, Profile* profile) {
  if (info.gradient_scale == 0.0F) info.gradient_scale = 1.0F / static_cast<float>(batch());
  *step_info_ = info;
  active_->forward(profile);
}

double Network::loss() const {
  const auto per_sample = losses();
  return std::accumulate(per_sample.begin(), per_sample.end(), 0.0) / static_cast<double>(per_sample.size());
}

void Network::backward(const GradientReady& on_gradient_ready, Profile* profile) {
  active_->backward(on_gradient_ready, profile);
}

}  // namespace convoy
