#include "convoy/train/factor_product.h"

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"

namespace convoy {
namespace {

using kernels::Role;

constexpr std::array kFactorRoles = {Role::source, Role::diff_destination};

const Operand* operand_of(const Instruction& instruction, Role role) {
  const auto found = std::ranges::find(instruction.operands, role, &Operand::role);
  return found == instruction.operands.end() ? nullptr : &*found;
}

// From the first parameter that the instruction completes to the beginning of the next one; in between is only padding.
ArenaSlice slice_of(const Instruction& instruction, const ParameterTable& table) {
  std::size_t begin = table.trainable_floats;
  std::size_t last = 0;
  for (const int index : instruction.ready) {
    const ArenaSlice& slice = table.entries[static_cast<std::size_t>(index)].slice;
    begin = std::min(begin, slice.offset);
    last = std::max(last, slice.offset);
  }
  std::size_t end = table.trainable_floats;
  for (const ParameterEntry& entry : table.entries) {
    if (entry.slice.offset > last) end = std::min(end, entry.slice.offset);
  }
  return {.offset = begin, .count = end - begin};
}

bool holds_floats(const kernels::Prepared& prepared) {
  return std::ranges::all_of(kFactorRoles, [&](Role role) { return prepared.layout(role).type() == DataType::fp32; });
}

}  // namespace

FactorProduct::FactorProduct(const Instruction& instruction, std::string of_layer, const Plan& plan,
                             ParameterStore& store)
    : device_(plan.device),
      layer_(instruction.layer),
      name_(std::move(of_layer)),
      slice_(slice_of(instruction, plan.parameters)),
      weights_(plan.parameters.entries[static_cast<std::size_t>(operand_of(instruction, Role::diff_weights)->index)]
                   .parameter.shape),
      is_single_precision_(holds_floats(*instruction.prepared)),
      factors_{AlignedBuffer(instruction.prepared->bytes(Role::source)),
               AlignedBuffer(instruction.prepared->bytes(Role::diff_destination))},
      scratchpad_(instruction.prepared->bytes(Role::scratchpad)),
      unused_(instruction.prepared->bytes(Role::diff_bias)) {
  kernels::Bindings memory;
  memory.set(Role::source, factors_[0].data());
  memory.set(Role::diff_destination, factors_[1].data());
  memory.set(Role::scratchpad, scratchpad_.data());
  for (const Role role : {Role::diff_weights, Role::diff_bias}) {
    const Operand* const operand = operand_of(instruction, role);
    if (operand == nullptr) continue;
    const ArenaSlice& place = store.table().entries[static_cast<std::size_t>(operand->index)].slice;
    void* const gradients = store.gradients().data() + place.offset;
    memory.set(role, operand->space == Space::gradient ? gradients : unused_.data());
  }
  kernel_ = instruction.prepared->bind(memory);
}

bool FactorProduct::is_possible(const Instruction& instruction, int ranks) {
  return std::ranges::all_of(kFactorRoles, [&](Role role) {
    return instruction.prepared->bytes(role) % (sizeof(float) * static_cast<std::size_t>(ranks)) == 0;
  });
}

std::array<std::size_t, 2> FactorProduct::block_floats(int ranks) const {
  const auto floats = [&](const AlignedBuffer& factor) {
    return factor.size_bytes() / static_cast<std::size_t>(ranks) / sizeof(float);
  };
  return {floats(factors_[0]), floats(factors_[1])};
}

std::span<std::byte> FactorProduct::block(std::size_t factor, int rank, int ranks) {
  AlignedBuffer& all = factors_[factor];
  const std::size_t bytes = all.size_bytes() / static_cast<std::size_t>(ranks);
  return {all.data() + static_cast<std::size_t>(rank) * bytes, bytes};
}

void FactorProduct::take(std::span<const std::byte> source, std::span<const std::byte> diff_destination, int rank,
                         int ranks) {
  const auto copy = [&](std::size_t factor, std::span<const std::byte> rows) {
    const std::span<std::byte> own = block(factor, rank, ranks);
    CONVOY_CHECK_LE(rows.size(), own.size());
    std::ranges::copy(rows, own.begin());
  };
  copy(0, source);
  copy(1, diff_destination);
}

void FactorProduct::exchange(BlockGather& gather, bool may_lose) {
  const std::array<std::span<float>, 2> all = {factors_[0].floats(), factors_[1].floats()};
  gather.gather(all, may_lose && is_single_precision_, static_cast<std::uint64_t>(layer_));
}

void FactorProduct::multiply(int rank, int ranks) {
  device_->use();
  kernel_->run();
  for (const std::size_t factor : {std::size_t{0}, std::size_t{1}}) {
    std::ranges::fill(block(factor, rank, ranks), std::byte{0});
  }
}

}  // namespace convoy
