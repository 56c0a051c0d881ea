// What the kernels run on, for `convoy doctor` and run records.
#pragma once

#include <string>

namespace convoy::kernels {

struct BackendInfo {
  std::string library;  // "oneDNN"
  std::string version;  // "2.6.3"
  std::string isa;      // the widest instruction set in use, "avx512"
  int max_threads;      // what OpenMP would start by itself
  std::string bf16;     // how this machine computes in bf16, for people
};

[[nodiscard]] BackendInfo backend_info();

}  // namespace convoy::kernels
