#include "convoy/engine/network.h"

#include <algorithm>
#include <numeric>

#include "convoy/base/error.h"
#include "convoy/engine/memory_plan.h"

namespace convoy {
namespace {

std::unique_ptr<ParameterStore> own_parameters(const Plan& plan) {
  return std::make_unique<ParameterStore>(plan.device, plan.parameters);
}

AlignedBuffer working_memory(const Plan& plan) {
  check_fits_in_memory(plan.batch, plan.working_bytes());
  return AlignedBuffer(plan.working_bytes());
}

void require_same_layout(const ParameterTable& plan, const ParameterTable& store) {
  bool same = plan.entries.size() == store.entries.size() && plan.arena_floats == store.arena_floats &&
              plan.trainable_floats == store.trainable_floats && plan.statistics_floats == store.statistics_floats;
  for (std::size_t i = 0; same && i < plan.entries.size(); ++i) {
    const ParameterEntry& a = plan.entries[i];
    const ParameterEntry& b = store.entries[i];
    same = a.parameter.name == b.parameter.name && a.layout == b.layout && a.slice.offset == b.slice.offset;
  }
  if (!same) throw UserError("the parameters are not laid out as in the plan; make them from plan.parameters");
}

void require_profile_fits(const Profile* profile, const Plan& plan) {
  const std::size_t instructions = plan.program.instructions.size();
  if (profile == nullptr || profile->size() == instructions) return;
  throw UserError("the profile has {} entries, the plan {} instructions", profile->size(), instructions);
}

}  // namespace

Network::Network(Graph graph, const CompileOptions& options) : Network(graph, compile(graph, options), nullptr) {}

Network::Network(Graph graph, Plan plan, std::unique_ptr<ParameterStore> parameters)
    : graph_(std::move(graph)),
      parameters_(parameters == nullptr ? own_parameters(plan) : std::move(parameters)),
      working_(working_memory(plan)),
      step_info_(std::make_unique<StepInfo>()) {
  require_same_layout(plan.parameters, parameters_->table());
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
  const Plan& full = full_->plan();
  if (batch < 1 || batch > full.batch) {
    throw UserError("cannot use a batch of {}: the network was compiled for {}, and takes 1 to {}", batch, full.batch,
                    full.batch);
  }
  if (const auto at = executors_.find(batch); at != executors_.end()) {
    activate(*at->second);
    return;
  }
  activate(executor_for(compile(graph_, options_like(full, batch))));
}

// Executors share their memory: what one of them left there means nothing to another.
void Network::activate(Executor& executor) {
  if (&executor == active_) return;
  active_ = &executor;
  can_go_backward_ = false;
  std::ranges::fill(labels(), 0);
  std::ranges::fill(other_labels(), OtherLabel{});
  std::ranges::fill(targets(), 0.0F);
}

// The loss uses labels as indices into memory. Here a wrong one can still be detected and reported.
void Network::require_known_labels() {
  const std::span<const std::int32_t> given = labels();
  if (given.empty()) return;
  const Layer& loss = graph_.layer(graph_.output());
  const std::int64_t classes = graph_.layer(loss.inputs[0]).shape.count();
  const auto is_wrong = [&](std::int32_t label) { return label < 0 || label >= classes; };
  const auto other = std::ranges::find_if(other_labels(), is_wrong, &OtherLabel::label);
  if (other != other_labels().end()) {
    throw UserError("layer \"{}\": sample {} of the batch of {} has {} as its other label, but there are {} classes",
                    loss.name, other - other_labels().begin(), given.size(), other->label, classes);
  }
  const auto wrong = std::ranges::find_if(given, is_wrong);
  if (wrong == given.end()) return;
  throw UserError(
      "layer \"{}\": sample {} of the batch of {} has label {}, but there are {} classes: labels are 0 to {}",
      loss.name, wrong - given.begin(), given.size(), *wrong, classes, classes - 1);
}

void Network::forward(StepInfo info, Profile* profile, const ParameterNeeded& before_reading) {
  require_known_labels();
  require_profile_fits(profile, plan());
  if (info.gradient_scale == 0.0F) info.gradient_scale = 1.0F / static_cast<float>(batch());
  *step_info_ = info;
  can_go_backward_ = false;
  active_->forward(before_reading, elsewhere_, profile);
  can_go_backward_ = plan().training;
}

double Network::loss() const {
  const auto per_sample = losses();
  if (per_sample.empty()) {
    throw UserError("the network has no loss: its graph ends with layer \"{}\"", graph_.layers().back().name);
  }
  return std::accumulate(per_sample.begin(), per_sample.end(), 0.0) / static_cast<double>(per_sample.size());
}

std::span<const float> Network::output_of(const std::string& layer) const {
  const auto found = plan().kept.find(layer);
  if (found != plan().kept.end()) return active_->memory<const float>(found->second);
  throw UserError("the output of layer \"{}\" is not kept; name it in CompileOptions::kept", layer);
}

std::span<const float> Network::input_gradient() const {
  if (plan().input_gradient >= 0) return active_->memory<const float>(plan().input_gradient);
  throw UserError("the network gives no gradient by its samples; compile it with input_gradient = true");
}

void Network::backward(const GradientReady& on_gradient_ready, Profile* profile) {
  if (!plan().training) throw UserError("backward needs a network compiled with training = true");
  if (!can_go_backward_) {
    throw UserError("backward needs a forward of the same batch ({} samples) before it, a new one each time", batch());
  }
  require_profile_fits(profile, plan());
  can_go_backward_ = false;
  active_->backward(on_gradient_ready, factors_, elsewhere_, profile);
}

}  // namespace convoy
