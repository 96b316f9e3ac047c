// Several threads that use one recorder by the C interface.
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "sightline/sdk/sightline.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StrEq;

TEST(SdkThreads, RecordTogetherAndHaveWordsOfTheirOwn) {
  constexpr int kThreads = 4;
  constexpr std::int64_t kSteps = 200;
  const TempDir dir;
  sightline_recorder* recorder = nullptr;
  ASSERT_EQ(sightline_recorder_open(dir.path().c_str(), nullptr, &recorder), SIGHTLINE_OK);
  std::vector<const sightline_tag*> tags(kThreads);
  const auto record = [&](std::size_t number) {
    for (std::int64_t step = 1; step <= kSteps; ++step) {
      EXPECT_EQ(sightline_recorder_tag(recorder, "shared", &tags[number]), SIGHTLINE_OK);
      EXPECT_EQ(sightline_recorder_add_tagged(recorder, tags[number], step, 0.5), SIGHTLINE_OK);
    }
    EXPECT_THAT(sightline_error(recorder), StrEq(""));
    EXPECT_EQ(sightline_recorder_add_scalar(recorder, nullptr, 1, 1), SIGHTLINE_INVALID_ARGUMENT);
    EXPECT_THAT(sightline_error(recorder), HasSubstr("tag is a null pointer"));
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back(record, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sightline_error(recorder), StrEq(""));
  for (const sightline_tag* tag : tags) EXPECT_EQ(tag, tags.front());
  EXPECT_EQ(sightline_recorder_close(recorder), SIGHTLINE_OK);
  sightline_recorder_free(recorder);
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore), SizeIs(kThreads * kSteps));
}

}  // namespace
}  // namespace sightline
