#include "sightline/recorder/translation/swanlab_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/tests/recorder/translation/translated_record.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Message;
using testing::Number;
using testing::SettingsOf;

class SwanLabRecordTest : public ::testing::Test {
 protected:
  bool Translate(const std::string& record) {
    const bool sound = TranslateSwanLab(record, state_, translation_);
    EXPECT_TRUE(ParseEvent(EventFileKind::kTensorBoard, translation_.event, event_));
    return sound;
  }
  void ExpectScalar(const std::string& tag, std::int64_t step, double value) const {
    ASSERT_EQ(event_.values.size(), 1U);
    EXPECT_EQ(event_.values[0].tag, tag);
    EXPECT_EQ(event_.step, step);
    EXPECT_EQ(event_.values[0].scalar, value);
  }

  TranslatorState state_;
  Translation translation_;
  EventView event_;
};

constexpr char kScalar[] = R"({"model_type": "Scalar", "data": {"metric": {"index": 0, "data": )";

std::string JsonScalar(const std::string& data, const std::string& key) {
  return kScalar + data + R"(, "create_time": "1970-01-01T00:00:05+00:00"}, "key": ")" + key +
         R"(", "step": 7, "epoch": 1}})";
}

TEST_F(SwanLabRecordTest, AScalarInJson) {
  ASSERT_TRUE(Translate(JsonScalar("0.1", "a/b")));
  ExpectScalar("a/b", 7, 0.1);
  EXPECT_EQ(event_.wall_time, 5);
  ASSERT_TRUE(Translate(JsonScalar("\"INF\"", "x")));
  ExpectScalar("x", 7, HUGE_VAL);
  ASSERT_TRUE(Translate(JsonScalar("\"NaN\"", "x")));
  EXPECT_TRUE(std::isnan(event_.values[0].scalar));
}

TEST_F(SwanLabRecordTest, AScalarInAMessage) {
  std::string value;
  wire::AppendDouble(value, 1, 0.1);
  ASSERT_TRUE(Translate(Message(
      13, Message(1, "loss") + Number(2, 3) + Message(4, Number(1, 9)) + Message(5, value))));
  ExpectScalar("loss", 3, 0.1);
  EXPECT_EQ(event_.wall_time, 9);
  ASSERT_TRUE(Translate(Message(13, Message(1, "zero") + Message(5, ""))));
  ExpectScalar("zero", 0, 0);
}

TEST_F(SwanLabRecordTest, TheMachineIsRecordedAtTheStepBefore) {
  ASSERT_TRUE(Translate(JsonScalar("1", "loss")));
  ASSERT_TRUE(
      Translate(Message(13, Message(1, "__swanlab__.cpu.pct") + Number(2, 1) + Message(5, ""))));
  ExpectScalar("system/cpu.pct", 7, 0);
}

TEST_F(SwanLabRecordTest, TheRunIsSettings) {
  ASSERT_TRUE(Translate(R"({"model_type": "Experiment", "data": {"id": "x1", "name": "007",
                            "description": null, "tags": ["a", "b"]}})"));
  EXPECT_THAT(SettingsOf(translation_),
              ElementsAre("run.id=\"x1\"", "run.name=\"007\"", "run.tags=\"a, b\""));
  ASSERT_TRUE(Translate(Message(10, Message(1, "p") + Message(4, "n") + Message(6, "a") +
                                        Message(6, "b") + Message(7, "g") + Message(10, "x2"))));
  EXPECT_THAT(SettingsOf(translation_),
              ElementsAre("run.project=\"p\"", "run.name=\"n\"", "run.group=\"g\"", "run.id=\"x2\"",
                          "run.tags=\"a, b\""));
}

TEST_F(SwanLabRecordTest, TheEndSaysHow) {
  ASSERT_TRUE(Translate(R"({"model_type": "Footer", "data": {"success": false}})"));
  EXPECT_TRUE(translation_.ends);
  EXPECT_THAT(SettingsOf(translation_), ElementsAre("run.outcome=\"crashed\""));
  ASSERT_TRUE(Translate(Message(11, Number(1, 3) + Message(2, "why"))));
  EXPECT_TRUE(translation_.ends);
  EXPECT_THAT(SettingsOf(translation_),
              ElementsAre("run.error=\"why\"", "run.outcome=\"aborted\""));
}

TEST_F(SwanLabRecordTest, OtherRecordsAreCountedByKind) {
  for (const char* silent : {"Header", "Column", "Runtime"}) {
    ASSERT_TRUE(Translate(std::string(R"({"model_type": ")") + silent + R"(", "data": {}})"));
    EXPECT_THAT(translation_.unread, IsEmpty());
  }
  ASSERT_TRUE(Translate(R"({"model_type": "Log", "data": {}})"));
  EXPECT_THAT(translation_.unread, ElementsAre("console"));
  ASSERT_TRUE(Translate("{}"));
  EXPECT_THAT(translation_.unread, ElementsAre("record without a type"));
  ASSERT_TRUE(Translate(R"({"model_type": "Scalar", "data": {"key": "a", "step": 1.5}})"));
  EXPECT_THAT(translation_.unread, ElementsAre("scalar of another form"));
  ASSERT_TRUE(Translate(Message(14, Number(3, 2)) + Message(16, "") + Message(50, "")));
  EXPECT_THAT(translation_.unread, ElementsAre("image", "console", "record 50"));
}

TEST_F(SwanLabRecordTest, WhatIsNeitherIsRefused) {
  EXPECT_FALSE(Translate("{"));
  EXPECT_FALSE(Translate("{" + std::string(100'000, '[')));
  EXPECT_FALSE(Translate("\x12\x7f"));
}

}  // namespace
}  // namespace sightline
