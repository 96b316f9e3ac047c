#include "sightline/base/background_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <string>

#include "sightline/tests/support/no_threads.h"

namespace sightline {
namespace {

TEST(BackgroundThreadTest, IsListedUnderItsName) {
  std::string name;
  StartBackgroundThread("sightline-test", [&] {
    char text[16] = {};
    pthread_getname_np(pthread_self(), text, sizeof(text));
    name = text;
  })->join();
  EXPECT_EQ(name, "sightline-test");
}

TEST(BackgroundThreadTest, LeavesTheProcessorToWhoeverHasItWhenItWakes) {
  int policy = -1;
  StartBackgroundThread("sightline-test", [&] {
    sched_param parameters{};
    pthread_getschedparam(pthread_self(), &policy, &parameters);
  })->join();
  EXPECT_EQ(policy, SCHED_BATCH);
  sched_param parameters{};
  ASSERT_EQ(pthread_getschedparam(pthread_self(), &policy, &parameters), 0);
  EXPECT_EQ(policy, SCHED_OTHER) << "the starting thread's own policy changed";
}

TEST(BackgroundThreadTest, LeavesSignalsToTheProgramsThreads) {
  sigset_t blocked;
  StartBackgroundThread("sightline-test", [&] {
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  })->join();
  EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGINT), 0) << "the starting thread's own mask changed";
}

TEST(BackgroundThreadTest, SaysThatThereIsNoThreadToBeHadAndLeavesTheMaskAsItWas) {
  const testing::NoThreads no_threads;
  const auto thread = StartBackgroundThread("sightline-test", [] {});
  ASSERT_FALSE(thread.has_value());
  EXPECT_EQ(thread.error().code(), StatusCode::kResourceExhausted);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGUSR1), 0);
}

}  // namespace
}  // namespace sightline
