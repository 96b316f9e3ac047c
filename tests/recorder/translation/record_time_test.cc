#include "sightline/recorder/translation/record_time.h"

#include <gtest/gtest.h>

#include "sightline/tests/recorder/translation/translated_record.h"

namespace sightline {
namespace {

TEST(IsoTimeTest, IsInSecondsSinceTheEpoch) {
  EXPECT_EQ(SecondsOfIso("1970-01-01T00:00:01Z"), 1);
  EXPECT_EQ(SecondsOfIso("2026-11-30T07:41:11.5+00:00"), 1796024471.5);
  EXPECT_EQ(SecondsOfIso("2026-11-30T15:41:11+08:00"), 1796024471);
  EXPECT_EQ(SecondsOfIso("2026-11-30T02:11:11-05:30"), 1796024471);
  EXPECT_EQ(SecondsOfIso("2024-02-29T00:00:00Z"), 1709164800);
}

TEST(IsoTimeTest, OtherTextsAreNoTime) {
  for (const char* text :
       {"", "2026", "2026-11-30", "2026-11-30T07:41:11", "2026-13-30T07:41:11Z",
        "2026-02-30T07:41:11Z", "2026-11-30T24:41:11Z", "2026-11-30T07:41:11+8",
        "2026-11-30T07:41:11.5", "-026-11-30T07:41:11Z", "2026-11-30T07:41:11Zx"}) {
    EXPECT_EQ(SecondsOfIso(text), 0) << text;
  }
}

TEST(TimestampTest, HasSecondsAndNanoseconds) {
  using testing::Number;
  EXPECT_EQ(SecondsOfTimestamp(Number(1, 100) + Number(2, 500'000'000)), 100.5);
  EXPECT_EQ(SecondsOfTimestamp(Number(1, 100)), 100);
  EXPECT_EQ(SecondsOfTimestamp(""), 0);
}

}  // namespace
}  // namespace sightline
