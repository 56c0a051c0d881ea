#include "convoy/sync/communication_thread.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace convoy {
namespace {

TEST(CommunicationThread, RunsTasksInOrder) {
  std::vector<int> order;
  CommunicationThread thread;
  for (int i = 0; i < 100; ++i) thread.post([&order, i] { order.push_back(i); });
  thread.wait_for(100);
  EXPECT_EQ(thread.done(), 100U);
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(CommunicationThread, AnErrorReachesTheCallerAndEndsTheWork) {
  CommunicationThread thread;
  bool ran = false;
  const auto first = thread.post([] { throw std::runtime_error("lost"); });
  EXPECT_THROW(thread.wait_for(first), std::runtime_error);
  EXPECT_THROW(thread.post([&] { ran = true; }), std::runtime_error);
  EXPECT_THROW((void)thread.done(), std::runtime_error);
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace convoy
