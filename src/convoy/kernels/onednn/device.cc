#include "convoy/kernels/device.h"

#include <fmt/format.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "convoy/base/check.h"
#include "convoy/kernels/backend_info.h"
#include "convoy/kernels/onednn/layout_impl.h"

namespace convoy::kernels {
namespace {

// The thread sanitizer does not see the barriers of libgomp and would report every loop that threads share as a race.
#if defined(__SANITIZE_THREAD__)
constexpr bool kOneThread = true;
#else
constexpr bool kOneThread = false;
#endif

}  // namespace

Device::Device(int threads) : threads_(threads), impl_(std::make_unique<Impl>()) {
  CONVOY_CHECK_LE(1, threads);
  // oneDNN 2.6 keeps primitives for those who ask for the same again, and once it has to make room for more, what it
  // hands out computes something else, or nothing at all. Nor need the losers of races stay in memory.
  dnnl::set_primitive_cache_capacity(0);
  use();
}

Device::~Device() = default;

void Device::use() const {
  const int threads = kOneThread ? 1 : threads_;
  if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
}

namespace {

bool is_avx512(dnnl::cpu_isa isa) {
  switch (isa) {
    case dnnl::cpu_isa::sse41:
    case dnnl::cpu_isa::avx:
    case dnnl::cpu_isa::avx2:
    case dnnl::cpu_isa::avx2_vnni:
      return false;
    default:
      return isa >= dnnl::cpu_isa::avx512_core;
  }
}

std::string isa_name(dnnl::cpu_isa isa) {
  switch (isa) {
    case dnnl::cpu_isa::sse41:
      return "sse4.1";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx2_vnni:
      return "avx2 + vnni";
    case dnnl::cpu_isa::avx512_core:
      return "avx512";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512 + vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512 + bf16";
    case dnnl::cpu_isa::avx512_core_amx:
      return "avx512 + amx";
    default:
      return is_avx512(isa) ? "avx512" : "unknown";
  }
}

}  // namespace

// Depends on what oneDNN may use and not only on the processor, so that ONEDNN_MAX_CPU_ISA applies to both.
InstructionSet instruction_set() {
  static const InstructionSet set = [] {
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    if (is_avx512(isa)) return InstructionSet::avx512;
    const bool narrow = isa == dnnl::cpu_isa::sse41 || isa == dnnl::cpu_isa::avx;
    const bool has_all = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has_all && !narrow ? InstructionSet::avx2 : InstructionSet::baseline;
  }();
  return set;
}

bool has_bf16_kernels() { return instruction_set() == InstructionSet::avx512; }

bool has_bf16_instructions() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
      return true;
    default:
      return false;
  }
}

// On Linux, processes must ask for matrix registers, because these make the state of a thread larger by 8 KiB.
bool has_matrix_registers() {
  static const bool has = [] {
    constexpr int kRequestPermission = 0x1023;
    constexpr int kMatrixData = 18;
    return dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_amx &&
           syscall(SYS_arch_prctl, kRequestPermission, kMatrixData) == 0;
  }();
  return has;
}

int channel_block() { return instruction_set() == InstructionSet::avx512 ? 16 : 8; }

namespace {

std::string bf16_text() {
  if (has_matrix_registers()) return "by matrix registers of this processor (AMX)";
  if (has_bf16_instructions()) return "by instructions of this processor";
  if (has_bf16_kernels()) return "emulated by oneDNN: possible, and no faster than fp32";
  return "in fp32 arithmetic with rounding: possible, and slower than fp32";
}

}  // namespace

BackendInfo backend_info() {
  const dnnl_version_t* v = dnnl_version();
  return {.library = "oneDNN",
          .version = fmt::format("{}.{}.{}", v->major, v->minor, v->patch),
          .isa = isa_name(dnnl::get_effective_cpu_isa()),
          .max_threads = omp_get_max_threads(),
          .bf16 = bf16_text()};
}

}  // namespace convoy::kernels
