#include "convoy/kernels/device.h"

#include <gtest/gtest.h>

#include <dnnl.hpp>

namespace convoy::kernels {
namespace {

// With room for eight primitives, tests of whole networks fail.
TEST(Device, LetsTheLibraryKeepNoPrimitives) {
  dnnl::set_primitive_cache_capacity(8);
  const Device device(1);
  EXPECT_EQ(dnnl::get_primitive_cache_capacity(), 0);
}

}  // namespace
}  // namespace convoy::kernels
