// Programs that know the header and the shared library only: run, and what they recorded read back.
#include <cstdlib>
#include <string>

#include "sightline/runs/model/run.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::Contains;
using ::testing::IsSupersetOf;

TEST(SdkPrograms, OneInC99RecordsEachKindAndSeesEachError) {
  const TempDir dir;
  ASSERT_EQ(std::system((SDK_C_PROGRAM " " + dir.path()).c_str()), 0);
  const RecordedRun recorded = ReadRun(dir.path());
  EXPECT_TRUE(recorded.sound());
  EXPECT_TRUE(recorded.other.empty());  // No journal is left.
  const auto values = RecordedRun::Values(recorded.tensorboard);
  for (const char* value :
       {"1 loss=0.25", "1 weights:histogram=4", "1 weights:tensor=", "1 digits:image=2x2",
        "1 note/text_summary:text=", "1 tone:audio=3", "100 loss=0.01", "100 rate=0.5"}) {
    EXPECT_THAT(values, Contains(value));
  }
  const auto run = Run::Open(dir.path());
  ASSERT_TRUE(run);
  EXPECT_FALSE((*run)->damaged());
  const Series* const loss = (*run)->Find(ContentKind::kScalar, "loss");
  ASSERT_NE(loss, nullptr);
  ASSERT_EQ(loss->size(), 100U);
  for (std::size_t i = 1; i < 100; ++i) {
    EXPECT_EQ(loss->values()[i],
              static_cast<double>(static_cast<float>(1.0 / static_cast<double>(i + 1))));
  }
}

TEST(SdkPrograms, OneInCpp17RecordsMonitorsProfilesAndReads) {
  const TempDir dir;
  ASSERT_EQ(std::system((SDK_CPP_PROGRAM " " + dir.path()).c_str()), 0);
  for (const char* name : {"recorded", "monitored"}) EXPECT_TRUE(ReadRun(dir.File(name)).sound());
  const auto recorded = RecordedRun::Values(ReadRun(dir.File("recorded")).tensorboard);
  EXPECT_THAT(recorded, IsSupersetOf({"1 weights:histogram=4", "2 weights:tensor=",
                                      "2 picture:image=2x2", "2 tone:audio=4"}));
  const auto monitored = RecordedRun::Values(ReadRun(dir.File("monitored")).mindspore);
  EXPECT_THAT(monitored, IsSupersetOf({"1 loss/auto=0.5", "20 fc.weight/auto:histogram=4",
                                       "20 norm=0.25", "20 eval/accuracy=0.75"}));
}

}  // namespace
}  // namespace sightline
