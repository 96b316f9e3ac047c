#include "sightline/recorder/journal/external_values.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sightline {
namespace {

TEST(ExternalValuesTest, ReleasesOwnersOnceTheirEntriesAreWritten) {
  ExternalValues values;
  const auto owner = std::make_shared<int>(1);
  values.Share(5, {owner}, 100);
  values.Share(6, {owner}, 10);
  EXPECT_EQ(values.Bytes(), 110);
  values.Written(6);
  EXPECT_EQ(values.Bytes(), 10);
  EXPECT_EQ(owner.use_count(), 2);
  values.Written(7);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ExternalValuesTest, AnOwnerMayUseTheTableWhileItIsReleased) {
  ExternalValues values;
  std::uint64_t bytes = 1;
  values.Share(1,
               {std::shared_ptr<int>(new int(0),
                                     [&](int* p) {
                                       bytes = values.Bytes();
                                       delete p;
                                     })},
               1);
  values.Written(2);
  EXPECT_EQ(bytes, 0);
}

TEST(ExternalValuesTest, TheLenderWaitsUntilItIsWritten) {
  ExternalValues values;
  values.Lend(1, {}, 1);
  std::atomic<bool> written{false};
  std::thread writer([&] {
    EXPECT_TRUE(values.Pin(1));
    written = true;
    values.Written(2);
  });
  EXPECT_TRUE(values.WaitUntilWritten(1));
  EXPECT_TRUE(written);
  writer.join();
}

TEST(ExternalValuesTest, TheLenderTakesItBackWhenWritingStalls) {
  ExternalValues values;
  values.Lend(1, {}, 1);
  ASSERT_TRUE(values.Pin(1));
  std::thread writer([&] { values.Stall(); });
  EXPECT_FALSE(values.WaitUntilWritten(1));
  writer.join();
  EXPECT_FALSE(values.Pin(1)) << "the writer would read memory that its owner has back";
}

TEST(ExternalValuesTest, TheLenderDoesNotTakeBackWhatTheWriterReads) {
  ExternalValues values;
  values.Stall();
  values.Lend(1, {}, 1);
  ASSERT_TRUE(values.Pin(1));
  std::thread writer([&] { values.Written(2); });
  EXPECT_TRUE(values.WaitUntilWritten(1));
  writer.join();
}

}  // namespace
}  // namespace sightline
