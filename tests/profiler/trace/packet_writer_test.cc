#include "sightline/profiler/trace/packet_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace sightline::profiler::perfetto {
namespace {

constexpr std::int64_t kTimes[] = {0, 127, 128, 1'000'000,
                                   std::numeric_limits<std::int64_t>::max()};
constexpr std::int64_t kSequences[] = {2, 200, std::numeric_limits<std::int32_t>::max()};
constexpr std::uint8_t kCategories[] = {0, 3, 127};

// Writes the event that was put together.
void Finish(PacketWriter& packets, std::int64_t time, std::int64_t sequence) {
  packets.SetTime(time);
  packets.SetSequence(sequence, packet::kNeedsState);
  packets.AddEvent();
  packets.Finish();
}

TEST(PacketWriterTest, ABeginHasTheSameBytesInBothWays) {
  for (const std::int64_t time : kTimes) {
    for (const std::int64_t sequence : kSequences) {
      for (const std::uint32_t name : {1U, 300U, std::numeric_limits<std::uint32_t>::max()}) {
        for (const std::uint8_t category : kCategories) {
          std::string fast;
          PacketWriter(fast).WriteBegin(time, sequence, name, category);
          std::string slow;
          PacketWriter packets(slow);
          packets.SetType(event::kSliceBegin);
          packets.SetName(std::int64_t{name});
          if (category != 0) packets.SetCategory(category);
          Finish(packets, time, sequence);
          ASSERT_EQ(fast, slow) << time << ' ' << sequence << ' ' << name << ' ' << int{category};
        }
      }
    }
  }
}

TEST(PacketWriterTest, AnEndHasTheSameBytesInBothWays) {
  for (const std::int64_t time : kTimes) {
    for (const std::int64_t sequence : kSequences) {
      std::string fast;
      PacketWriter(fast).WriteEnd(time, sequence);
      std::string slow;
      PacketWriter packets(slow);
      packets.SetType(event::kSliceEnd);
      Finish(packets, time, sequence);
      ASSERT_EQ(fast, slow) << time << ' ' << sequence;
    }
  }
}

}  // namespace
}  // namespace sightline::profiler::perfetto
