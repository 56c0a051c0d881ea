#include "convoy/tensor/data_type.h"

#include "convoy/base/error.h"

namespace convoy {

DataType data_type_named(std::string_view name) {
  for (const DataType type : {DataType::fp32, DataType::bf16}) {
    if (name == name_of(type)) return type;
  }
  throw UserError("unknown precision \"{}\"; use fp32 or bf16", name);
}

}  // namespace convoy
