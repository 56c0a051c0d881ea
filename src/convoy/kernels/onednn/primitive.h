// Wraps one oneDNN primitive as a Prepared operator.
#pragma once

#include <dnnl.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// Which oneDNN argument each role corresponds to.
using Arguments = std::vector<std::pair<Role, int>>;

class PreparedPrimitive : public Prepared {
 public:
  // `choice` is the name that it reports; the primitive descriptor must have a user-managed scratchpad.
  PreparedPrimitive(const Device& device, const dnnl::primitive_desc_base& descriptor, Arguments arguments,
                    std::string choice);

  [[nodiscard]] std::string implementation() const override { return choice_; }
  [[nodiscard]] Layout layout(Role role) const override;
  [[nodiscard]] std::unique_ptr<Kernel> bind(const Bindings& memory) const override;

 private:
  const Device* device_;
  // bind() makes the primitive itself: generating its code takes milliseconds, and most candidates are never run.
  dnnl::primitive_desc_base descriptor_;
  struct Operand {
    Role role;
    int argument;
    dnnl::memory::desc desc;
  };
  std::vector<Operand> operands_;
  std::string choice_;
};

// The attributes of every primitive of Convoy: the scratchpad is provided by Convoy and shared by all.
[[nodiscard]] inline dnnl::primitive_attr shared_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

}  // namespace convoy::kernels
