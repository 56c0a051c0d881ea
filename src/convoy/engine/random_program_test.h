// Programs without kernels, for tests of passes over them: values of any size that are read any number of times, with
// every in-place offer that an instruction could make.
#pragma once

#include <algorithm>
#include <vector>

#include "convoy/base/rng.h"
#include "convoy/engine/program.h"

namespace convoy {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : rng_(seed, 0x70726f67) {}

  [[nodiscard]] Program build() {
    const int persistent_inputs = 1 + below(3);
    for (int i = 0; i < persistent_inputs; ++i) {
      written_.push_back(new_buffer(true));
    }
    const int count = 3 + below(40);
    for (int i = 0; i < count; ++i) {
      Instruction instruction{.layer = i, .phase = 2 * i < count ? Phase::forward : Phase::backward};
      fill(instruction);
      offer(instruction);
      program_.instructions.push_back(std::move(instruction));
    }
    program_.forward_count = (count + 1) / 2;
    return std::move(program_);
  }

 private:
  using Role = kernels::Role;

  int below(int bound) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(bound))); }

  BufferId new_buffer(bool persistent) {
    // As in a network, some sizes occur again and again.
    static constexpr std::size_t kSizes[] = {64, 640, 4096, 40000};
    const std::size_t bytes = below(2) == 0 ? kSizes[below(4)] : 1 + static_cast<std::size_t>(below(5000));
    program_.buffers.push_back({"", bytes, persistent});
    return static_cast<BufferId>(program_.buffers.size()) - 1;
  }

  BufferId any_written() {
    const int count = static_cast<int>(written_.size());
    const int back = below(2) == 0 ? 1 + below(std::min(count, 3)) : 1 + below(count);
    return written_[static_cast<std::size_t>(count - back)];
  }

  // Also true if there is no such buffer yet.
  static bool reads_buffer(const Instruction& instruction, BufferId id) {
    return id < 0 || std::any_of(instruction.operands.begin(), instruction.operands.end(), [&](const Operand& operand) {
             return operand.space == Space::buffer && operand.index == id;
           });
  }

  void fill(Instruction& instruction) {
    const bool forward = instruction.phase == Phase::forward;
    const std::vector<Role> reads =
        forward ? std::vector{Role::source, Role::source2}
                : std::vector{Role::diff_destination, Role::diff_destination2, Role::source, Role::destination};
    const std::vector<Role> outputs =
        forward ? std::vector{Role::destination, Role::workspace} : std::vector{Role::diff_source, Role::diff_source2};
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (i == 0 || below(2) == 0) {
        instruction.operands.push_back({reads[i], Space::buffer, any_written()});
      }
    }
    instruction.operands.push_back({Role::weights, Space::parameter, below(5)});
    std::vector<BufferId> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (i == 0 || below(3) == 0) {
        const bool goes_on = i == 0 && forward && !reads_buffer(instruction, last_destination_) && below(6) == 0;
        results.push_back(goes_on ? last_destination_ : new_buffer(below(8) == 0));
        instruction.operands.push_back({outputs[i], Space::buffer, results.back()});
      }
    }
    last_destination_ = results.front();
    // Added only now, because an instruction does not read what it writes.
    written_.insert(written_.end(), results.begin(), results.end());
  }

  // Offers to write any output in place of any input.
  void offer(Instruction& instruction) {
    for (const Role output : {Role::destination, Role::diff_source, Role::diff_source2}) {
      for (const Role read :
           {Role::source, Role::source2, Role::diff_destination, Role::diff_destination2, Role::destination}) {
        if (output != read && below(3) > 0) {
          instruction.in_place.emplace_back(output, read);
        }
      }
    }
    if (instruction.phase != Phase::forward) {
      std::erase_if(instruction.in_place, [](const auto& pair) { return pair.first == Role::destination; });
    }
  }

  Program program_;
  Rng rng_;
  std::vector<BufferId> written_;
  BufferId last_destination_ = -1;  // the next instruction may fill another part of it, as a concatenation does
};

[[nodiscard]] inline Program random_program(std::uint64_t seed) { return RandomProgram(seed).build(); }

}  // namespace convoy
