#include "sightline/watch/notify/lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sightline::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kDay = 86400;

nlohmann::json Event(const std::string& id) { return {{"id", id}, {"rule", "nan"}, {"run", "a"}}; }

// The id of the message that is due; "" for none.
std::string DueId(Lane& lane, double now) {
  const auto due = lane.Due(now);
  return due ? due->value("id", "?") : "";
}

TEST(LaneTest, MessagesAreTriedInTheirOrderUntilEachIsDelivered) {
  Lane lane("team");
  EXPECT_EQ(DueId(lane, 0), "");
  lane.Add(Event("1"), 0);
  lane.Add(Event("2"), 0);
  EXPECT_EQ(DueId(lane, 0), "1");
  lane.Tried({}, 0);
  EXPECT_EQ(DueId(lane, 0), "2");
  lane.Tried({}, 0);
  EXPECT_EQ(lane.size(), 0U);
  EXPECT_THAT(lane.TakeNotes(), IsEmpty());
}

TEST(LaneTest, PausesDoubleUpToTenMinutes) {
  Lane lane("team");
  lane.Add(Event("1"), 0);
  double now = 0;
  for (const double pause : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600}) {
    EXPECT_EQ(DueId(lane, now), "1");
    lane.Tried({"the answer is HTTP 500"}, now);
    EXPECT_EQ(DueId(lane, now + pause - 0.1), "");
    EXPECT_EQ(lane.next(), now + pause);
    now += pause;
  }
  EXPECT_EQ(DueId(lane, now), "1");
}

TEST(LaneTest, ATargetThatAsksForMoreTimeGetsIt) {
  Lane lane("team");
  lane.Add(Event("1"), 0);
  lane.Tried({"the answer is HTTP 429", 3600}, 0);
  EXPECT_EQ(DueId(lane, 3599), "");
  EXPECT_EQ(DueId(lane, 3600), "1");
}

TEST(LaneTest, AMessageIsDroppedAfterADayAndThatIsSaid) {
  Lane lane("team");
  lane.Add(Event("1"), 0);
  lane.Add(Event("2"), 10);
  EXPECT_EQ(DueId(lane, kDay), "2");
  EXPECT_THAT(lane.TakeNotes(), ElementsAre("team: a message was dropped, since it could not be"
                                            " delivered for a day: nan of a"));
}

TEST(LaneTest, AFailureIsSaidOnceUntilItIsAnother) {
  Lane lane("team");
  lane.Add(Event("1"), 0);
  for (int i = 0; i < 3; ++i) lane.Tried({"no answer"}, i);
  EXPECT_THAT(lane.TakeNotes(),
              ElementsAre("team: not delivered, and tried again for a day: no answer"));
  lane.Tried({"the answer is HTTP 500"}, 4);
  EXPECT_THAT(lane.TakeNotes(), ElementsAre(HasSubstr("HTTP 500")));
  lane.Tried({}, 5);
  EXPECT_THAT(lane.TakeNotes(), ElementsAre("team: messages are delivered again"));
}

TEST(LaneTest, WhatIsNotDeliveredIsRestoredWithItsTime) {
  Lane lane("team");
  lane.Add(Event("1"), 0);
  lane.Add(Event("2"), 10);
  const nlohmann::json content = lane.Content();
  Lane restored("team");
  restored.Restore(content);
  EXPECT_EQ(restored.Content(), content);
  EXPECT_EQ(DueId(restored, kDay + 5), "2");
  Lane other("other");
  other.Restore(content);
  EXPECT_EQ(other.size(), 0U);
}

TEST(LaneTest, ForeignContentIsLeftOut) {
  Lane lane("team");
  for (const char* text : {"{}", "[3]", R"([{"target": "team"}])",
                           R"([{"target": "team", "until": "x", "event": {}}])",
                           R"([{"target": "team", "until": 3, "event": 4}])"})
    lane.Restore(nlohmann::json::parse(text));
  EXPECT_EQ(lane.size(), 0U);
}

TEST(LaneTest, NoMoreThanAThousandWait) {
  Lane lane("team");
  for (int i = 0; i < 1001; ++i) lane.Add(Event(std::to_string(i)), 0);
  EXPECT_EQ(lane.size(), 1000U);
  EXPECT_EQ(DueId(lane, 0), "0");
  EXPECT_THAT(lane.TakeNotes(), ElementsAre(HasSubstr("1,000 others wait")));
}

}  // namespace
}  // namespace sightline::watch
