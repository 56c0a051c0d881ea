// Collects the implementations that oneDNN offers for an operation, without those that are never worth timing.
#pragma once

#include <dnnl.hpp>
#include <string>
#include <vector>

#include "convoy/kernels/activation.h"
#include "convoy/kernels/onednn/primitive.h"

namespace convoy::kernels {

class ImplementationSearch {
 public:
  explicit ImplementationSearch(const Device& device) : device_(&device) {}

  [[nodiscard]] const Device& device() const { return *device_; }

  // Names the family of the implementations that are added next: "winograd blocked".
  void start(std::string family) { family_ = std::move(family); }

  // Runs `body`. oneDNN throws if it has no implementation at all, which is not an error here.
  template <typename Body>
  void attempt(Body body) {
    try {
      body();
    } catch (const dnnl::error& error) {
      if (error.status != dnnl_unimplemented && error.status != dnnl_invalid_arguments) throw;
    }
  }

  // Adds every implementation that the descriptor offers.
  template <typename Descriptor>
  void add(Descriptor descriptor, const Arguments& arguments) {
    do {
      consider(descriptor, descriptor.impl_info_str(), arguments);
    } while (descriptor.next_impl());
  }

  // Whether anything better than a reference implementation has been found.
  [[nodiscard]] bool any() const { return !found_.empty(); }

  // Whether one of these has that tensor in this layout.
  [[nodiscard]] bool any_with(Role role, const Layout& layout) const;

  // What was found; the reference implementations only if there is nothing else. Never empty.
  [[nodiscard]] std::vector<PreparedPtr> take();
  // The same without the reference implementations; may be empty.
  [[nodiscard]] std::vector<PreparedPtr> take_fast() { return std::move(found_); }

 private:
  void consider(const dnnl::primitive_desc_base& descriptor, const std::string& implementation,
                const Arguments& arguments);

  const Device* device_;
  std::string family_;
  std::vector<PreparedPtr> found_;
  std::vector<PreparedPtr> slow_;
};

[[nodiscard]] Arguments forward_arguments();
[[nodiscard]] Arguments backward_data_arguments();
[[nodiscard]] Arguments backward_weights_arguments();

// Attributes that apply the activation to the result.
[[nodiscard]] dnnl::primitive_attr with_activation(Activation activation);

}  // namespace convoy::kernels
