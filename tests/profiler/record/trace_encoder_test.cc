// The encoder at times of the test's own, without a recorder.
#include "sightline/profiler/record/trace_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/profiler/record/names.h"
#include "sightline/tests/profiler/record/trace_reading.h"

namespace sightline::profiler {
namespace {

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += kDigits[static_cast<unsigned char>(byte) >> 4U];
    hex += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return hex;
}

class TraceEncoderTest : public ::testing::Test {
 protected:
  TraceEncoderTest() {
    encoder_.Start({.process_id = 7,
                    .process_name = "train",
                    .monotonic_nanos = 1000,
                    .boot_nanos = 1500,
                    .wall_nanos = 9000});
    AddThread(0, "main");
  }

  void AddThread(std::size_t index, const char* name) {
    encoder_.AddThread(index, static_cast<int>(7 + index), name, 1000);
  }
  void Begin(std::int64_t nanos, std::size_t thread = 0) {
    TraceEvent event;
    event.head.kind = EventKind::kSpanBegin;
    event.head.name = InternName("forward");
    event.head.category = Category::kData;
    event.nanos = nanos;
    encoder_.Add(thread, event);
  }
  void End(std::int64_t nanos, std::size_t thread = 0) {
    TraceEvent event;
    event.head.kind = EventKind::kSpanEnd;
    event.nanos = nanos;
    encoder_.Add(thread, event);
  }

  std::string out_;
  TraceEncoder encoder_{out_};
};

// Files that exist, and other programs' readers, rely on them.
TEST_F(TraceEncoderTest, TheBytesOfASmallProfile) {
  Begin(1300);
  End(1400);
  Begin(1500);
  End(1700);
  EXPECT_EQ(Hex(out_),
            // The clocks.
            "0a1b500132170a05080310e8070a05080610dc0b0a05080110a8461003"
            // The process.
            "0a1a5001e2031508c4db9af6b4b298e5391a0908073205747261696e"
            // The thread,
            "0a255001e2032008c5db9af6b4b298e53928c4db9af6b4b298e539220a080710072a046d61696e"
            // and its sequence.
            "0a3040e807d0030350026801da030fd003405a0a58c5db9af6b4b298e53932120a05080310e8070a"
            "09084010e80718012001"
            // A begin, with the texts that it is the first to use.
            "0a2840ac02500268026217120b08011207666f72776172640a0808011204646174615a0648015001"
            "1801"
            // Its end.
            "0a0a4064500268025a024802"
            // A begin.
            "0a0e4064500268025a06480150011801"
            // Its end.
            "0a0b40c801500268025a024802");
}

TEST_F(TraceEncoderTest, ATextIsInTheFileOnceAThread) {
  AddThread(1, "loader");
  for (std::int64_t time = 1000; time < 1005; ++time) {
    for (const std::size_t thread : {0U, 1U}) {
      Begin(time, thread);
      End(time, thread);
    }
  }
  const testing::ReadTrace trace = testing::ParseTrace(out_);
  EXPECT_EQ(trace.Count("forward"), 10U);
  EXPECT_EQ(trace.interned.at("forward"), 2);
}

// The counters of two processors may differ by a few ticks.
TEST_F(TraceEncoderTest, ATimeIsNeverBeforeTheOneBeforeIt) {
  Begin(2000);
  End(1990);
  Begin(2005);
  End(2010);
  const testing::ReadTrace trace = testing::ParseTrace(out_);
  ASSERT_EQ(trace.slices.size(), 2U);
  EXPECT_EQ(trace.slices[0].end, 2000);
  EXPECT_EQ(trace.slices[1].begin, 2005);
  EXPECT_EQ(trace.slices[1].end, 2010);
}

}  // namespace
}  // namespace sightline::profiler
