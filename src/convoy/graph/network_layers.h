// The layers in the text of a network: their kinds, and how a TOML table becomes an operator's attributes.
#pragma once

#include <string>
#include <vector>

#include "convoy/base/toml_parser.h"
#include "convoy/graph/network_values.h"
#include "convoy/graph/operator_fields.h"
#include "convoy/graph/operators.h"

namespace convoy {

// The kind of a layer that stands for the loss that the options choose.
inline constexpr const char* kLossKind = "loss";

// One operator of each kind except the input, with default attributes to be filled in.
[[nodiscard]] const std::vector<Operator>& operator_prototypes();

// The kinds of all prototypes, and kLossKind.
[[nodiscard]] std::vector<std::string> layer_kinds();

// Sets the attributes that a layer's table gives.
class FieldReader {
 public:
  FieldReader(const toml::table& table, const ValueReader& values) : table_(table), values_(values) {}

  template <typename Value>
  void required(const char* name, Value& value) {
    (*this)(name, value);
    if (!table_.contains(name)) missing_ = name;
  }

  template <typename Value>
  void operator()(const char* name, Value& value) {
    names_.emplace_back(name);
    if (const toml::node* const node = table_.get(name)) values_.read(name, *node, value);
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const char* missing() const { return missing_; }

 private:
  const toml::table& table_;
  const ValueReader& values_;
  std::vector<std::string> names_;
  const char* missing_ = nullptr;
};

}  // namespace convoy
