#include "convoy/kernels/reference/operator_run_test.h"

#include <algorithm>
#include <cmath>

#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reorder.h"

namespace convoy::kernels::reference {
namespace {

// Bytes that make a float NaN.
constexpr int kPoison = 0xff;

AlignedBuffer poisoned(std::size_t bytes) {
  AlignedBuffer buffer(bytes);
  std::memset(buffer.data(), kPoison, bytes);
  return buffer;
}

void reorder(const Layout& from, const void* source, const Layout& to, void* destination) {
  const PreparedPtr prepared = prepare_reorder(test_device(), from, to);
  AlignedBuffer scratchpad(prepared->bytes(Role::scratchpad));
  Bindings memory;
  memory.set(Role::source, const_cast<void*>(source));  // bindings do not distinguish inputs and outputs
  memory.set(Role::destination, destination);
  memory.set(Role::scratchpad, scratchpad.data());
  prepared->bind(memory)->run();
}

// The elements as they are in memory, including padding.
Values all_elements(const std::byte* memory, const Layout& layout) {
  return with_element(layout.type(), [&]<typename Element>() {
    std::vector<Element> elements(static_cast<std::size_t>(layout.elements()));
    std::memcpy(elements.data(), memory, layout.bytes());
    Values values;
    for (const Element element : elements) values.push_back(to_float(element));
    return values;
  });
}

Role role_at(std::size_t i) { return static_cast<Role>(i); }

bool equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

const Device& test_device() {
#ifdef __SANITIZE_THREAD__
  constexpr int kThreads = 1;  // the thread sanitizer does not see the barriers of libgomp
#else
  constexpr int kThreads = 2;
#endif
  static const Device device(kThreads);
  device.use();
  return device;
}

AlignedBuffer to_layout(const Values& plain, const Layout& layout) {
  const std::vector<float> floats(plain.begin(), plain.end());
  const Layout from = Layout::plain(layout.dims());
  EXPECT_EQ(floats.size() * sizeof(float), from.bytes());
  AlignedBuffer result = poisoned(layout.bytes());
  reorder(from, floats.data(), layout, result.data());
  return result;
}

Values to_plain(const std::byte* memory, const Layout& layout) {
  const Layout to = Layout::plain(layout.dims());
  AlignedBuffer result = poisoned(to.bytes());
  reorder(layout, memory, to, result.data());
  const auto floats = result.floats();
  return {floats.begin(), floats.end()};
}

testing::AssertionResult close(const Values& actual, const Values& expected, double tolerance) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure() << actual.size() << " elements, expected " << expected.size();
  }
  const double allowed = tolerance * largest(expected);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!(std::abs(actual[i] - expected[i]) <= allowed)) {
      return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected " << expected[i]
                                         << " within " << allowed;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult same(const Values& actual, const Values& expected) {
  if (std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(), equal)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "the numbers differ: " << close(actual, expected, 0).message();
}

OperatorRun& OperatorRun::give(Role role, const Values& plain) {
  const AlignedBuffer values = to_layout(plain, prepared_->layout(role));
  return give_raw(role, std::span<const std::byte>(values.data(), values.size_bytes()));
}

OperatorRun& OperatorRun::give_row(Role role, const Values& values) {
  std::vector<float> floats(values.begin(), values.end());
  floats.resize(prepared_->bytes(role) / sizeof(float));
  return give_raw(role, std::span<const float>(floats));
}

OperatorRun& OperatorRun::share(Role role, Role with) {
  own(with);
  EXPECT_LE(prepared_->bytes(role), prepared_->bytes(with));
  memory_[index(role)] = memory_[index(with)];
  writable_[index(role)] = writable_[index(with)] = true;
  return *this;
}

OperatorRun& OperatorRun::take_over(Role role, const OperatorRun& earlier) {
  memory_[index(role)] = earlier.memory_[index(role)];
  given_[index(role)] = memory_[index(role)] != nullptr;  // for some shapes, some operators keep nothing
  return *this;
}

OperatorRun& OperatorRun::run() {
  bind();
  for (std::size_t i = 0; i < kRoles; ++i) {
    if (given_[i]) before_[i].assign(raw(role_at(i)).begin(), raw(role_at(i)).end());
  }
  kernel_->run();
  check_guards();
  check_inputs();
  return *this;
}

Values OperatorRun::take(Role role) const {
  Values plain = to_plain(raw(role).data(), prepared_->layout(role));
  check_padding(role, plain);
  return plain;
}

Values OperatorRun::take_row(Role role, std::int64_t count) const {
  std::vector<float> floats(static_cast<std::size_t>(count));
  std::memcpy(floats.data(), raw(role).data(), floats.size() * sizeof(float));
  return {floats.begin(), floats.end()};
}

std::span<const std::byte> OperatorRun::raw(Role role) const {
  return {memory_[index(role)]->data(), prepared_->bytes(role)};
}

AlignedBuffer& OperatorRun::own(Role role) {
  auto& memory = memory_[index(role)];
  if (memory == nullptr) memory = std::make_shared<AlignedBuffer>(poisoned(prepared_->bytes(role) + kGuardBytes));
  return *memory;
}

void OperatorRun::bind() {
  if (kernel_ != nullptr) return;
  Bindings memory;
  for (std::size_t i = 0; i < kRoles; ++i) {
    if (prepared_->bytes(role_at(i)) > 0) memory.set(role_at(i), own(role_at(i)).data());
  }
  kernel_ = prepared_->bind(memory);
}

void OperatorRun::check_guards() const {
  for (std::size_t i = 0; i < kRoles; ++i) {
    if (memory_[i] == nullptr) continue;
    const std::byte* end = memory_[i]->data() + memory_[i]->size_bytes();
    const bool untouched = std::all_of(end - kGuardBytes, end, [](std::byte b) { return b == std::byte{kPoison}; });
    EXPECT_TRUE(untouched) << prepared_->implementation() << " wrote past the end of role " << i;
  }
}

void OperatorRun::check_inputs() const {
  for (std::size_t i = 0; i < kRoles; ++i) {
    const bool running = role_at(i) == Role::running_mean || role_at(i) == Role::running_variance;
    const bool workspace = role_at(i) == Role::workspace;
    if (!given_[i] || writable_[i] || running || workspace) continue;
    EXPECT_EQ(std::memcmp(before_[i].data(), raw(role_at(i)).data(), before_[i].size()), 0)
        << prepared_->implementation() << " wrote into its input, role " << i;
  }
}

// A copy through plain order has zeros as padding, so comparing with it shows whether the padding is zero.
void OperatorRun::check_padding(Role role, const Values& plain) const {
  const Layout layout = prepared_->layout(role);
  if (layout.is_opaque()) return;
  const AlignedBuffer clean = to_layout(plain, layout);
  EXPECT_TRUE(same(all_elements(raw(role).data(), layout), all_elements(clean.data(), layout)))
      << prepared_->implementation() << " left padding other than zero, role " << index(role) << " as "
      << layout.describe();
}

}  // namespace convoy::kernels::reference
