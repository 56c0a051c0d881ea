#include "convoy/sync/communication_thread.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <vector>

namespace convoy {
namespace {

TEST(CommunicationThread, RunsTasksInOrder) {
  std::vector<int> order;
  CommunicationThread thread;
  for (int i = 0; i < 100; ++i) thread.post([&order, i] { order.push_back(i); });
  thread.wait_for(100);
  EXPECT_EQ(thread.done_count(), 100U);
  EXPECT_TRUE(thread.is_done(100));
  EXPECT_FALSE(thread.is_done(101));
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

// The first task blocks the thread until all others are posted.
TEST(CommunicationThread, RunsTheMostUrgentFirst) {
  std::vector<int> order;
  std::promise<void> all_posted;
  CommunicationThread thread;
  thread.post([&] { all_posted.get_future().wait(); });
  for (const int urgency : {1, 3, 2, 3}) thread.post([&order, urgency] { order.push_back(urgency); }, urgency);
  const auto last = thread.post([&order] { order.push_back(0); });
  all_posted.set_value();
  thread.wait_for(last);
  EXPECT_EQ(order, (std::vector<int>{3, 3, 2, 1, 0}));
}

// The thread waits for the task that another rank has chosen, however urgent the others are here.
TEST(CommunicationThread, RunsWhatIsAgreedOn) {
  std::vector<int> order;
  const std::vector<std::uint64_t> agreed = {3, 1, 2};
  std::size_t round = 0;
  CommunicationThread thread([&](std::uint64_t /*own*/) { return agreed[round++]; });
  for (int number = 1; number <= 3; ++number) thread.post([&order, number] { order.push_back(number); }, -number);
  thread.wait_for_count(3);
  EXPECT_EQ(order, (std::vector<int>{3, 1, 2}));
}

TEST(CommunicationThread, AnErrorReachesTheCallerAndEndsTheWork) {
  CommunicationThread thread;
  bool ran = false;
  const auto first = thread.post([] { throw std::runtime_error("lost"); });
  EXPECT_THROW(thread.wait_for(first), std::runtime_error);
  EXPECT_THROW(thread.post([&] { ran = true; }), std::runtime_error);
  EXPECT_THROW((void)thread.done_count(), std::runtime_error);
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace convoy
