#include "convoy/base/vector_clones.h"
#include "convoy/sync/codec/half_codec.h"
#include "convoy/tensor/data_type.h"

namespace convoy {
namespace {

CONVOY_VECTOR_CLONES void round_to_bf16(const float* __restrict values, std::size_t count,
                                        std::uint16_t* __restrict halves) {
  for (std::size_t i = 0; i < count; ++i) halves[i] = to_bfloat16(values[i]).bits;
}

CONVOY_VECTOR_CLONES void widen_bf16(const std::uint16_t* __restrict halves, std::size_t count,
                                     float* __restrict values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = to_float(BFloat16{halves[i]});
}

class Bf16Codec final : public HalfCodec {
 public:
  [[nodiscard]] std::string description() const override { return "bf16"; }

 private:
  void to_halves(const float* values, std::size_t count, std::uint16_t* halves) const override {
    round_to_bf16(values, count, halves);
  }
  void to_floats(const std::uint16_t* halves, std::size_t count, float* values) const override {
    widen_bf16(halves, count, values);
  }
};

}  // namespace

std::unique_ptr<Codec> make_bf16_codec() { return std::make_unique<Bf16Codec>(); }

}  // namespace convoy
