// One node of an ONNX model: access to its attributes by name, and errors that name the node.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"

namespace onnx {
class AttributeProto;
class NodeProto;
}  // namespace onnx

namespace convoy {

class OnnxNode {
 public:
  explicit OnnxNode(const onnx::NodeProto& proto) : proto_(proto) {}

  [[nodiscard]] const std::string& type() const;
  // Its own name or, if it has none, that of its output.
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] int inputs() const;
  // Empty if the input is left out.
  [[nodiscard]] const std::string& input(int i) const;
  [[nodiscard]] int outputs() const;
  [[nodiscard]] const std::string& output(int i) const;

  // Attributes; `otherwise` is the value if the node does not have the attribute.
  [[nodiscard]] bool has(const char* attribute) const;
  [[nodiscard]] std::int64_t whole(const char* attribute, std::int64_t otherwise);
  [[nodiscard]] float real(const char* attribute, float otherwise);
  [[nodiscard]] std::string text(const char* attribute, const std::string& otherwise);
  [[nodiscard]] std::vector<std::int64_t> wholes(const char* attribute, std::vector<std::int64_t> otherwise);
  [[nodiscard]] std::vector<float> reals(const char* attribute);
  // Null if there is none.
  [[nodiscard]] const onnx::AttributeProto* find(const char* attribute);
  // Names attributes that make no difference here.
  void pass_over(std::initializer_list<const char*> attributes) {
    understood_.insert(attributes.begin(), attributes.end());
  }
  // Refuses the node if it has an attribute that was never asked for, since it might change the result.
  void require_understood() const;

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError("node \"{}\" ({}): {}", printable_text(name()), printable_text(type()),
                    fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  const onnx::NodeProto& proto_;
  std::set<std::string> understood_;
};

}  // namespace convoy
