#include "sightline/recorder/translation/wandb_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/tests/recorder/translation/translated_record.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Message;
using testing::SettingsOf;

std::string Item(std::string_view key, std::string_view json) {
  return Message(1, key) + Message(16, json);
}

std::string Nested(const std::vector<std::string>& keys, std::string_view json) {
  std::string item;
  for (const std::string& key : keys) item += Message(2, key);
  return item + Message(16, json);
}

class WandbRecordTest : public ::testing::Test {
 protected:
  // The history of step 7 at second 1.5 with these items.
  bool TranslateHistory(const std::vector<std::string>& items) {
    std::string history = Message(1, Item("_timestamp", "1.5"));
    for (const std::string& item : items) history += Message(1, item);
    std::string step;
    wire::AppendInt(step, 1, 7);
    return Translate(Message(2, history + Message(2, step)));
  }
  bool Translate(const std::string& record) {
    const bool sound = TranslateWandb(record, state_, translation_);
    EXPECT_TRUE(ParseEvent(EventFileKind::kTensorBoard, translation_.event, event_));
    return sound;
  }

  TranslatorState state_;
  Translation translation_;
  EventView event_;
};

TEST_F(WandbRecordTest, AHistoryIsAnEventOfItsStepAndTime) {
  ASSERT_TRUE(TranslateHistory({Item("loss", "0.1")}));
  EXPECT_EQ(event_.step, 7);
  EXPECT_EQ(event_.wall_time, 1.5);
  ASSERT_EQ(event_.values.size(), 1U);
  EXPECT_EQ(event_.values[0].tag, "loss");
  EXPECT_EQ(event_.values[0].kind, ContentKind::kScalar);
  EXPECT_EQ(event_.values[0].scalar, 0.1);  // As float64.
}

TEST_F(WandbRecordTest, AStepMayBeAnItem) {
  ASSERT_TRUE(Translate(Message(2, Message(1, Item("_step", "12")) + Message(1, Item("x", "1")))));
  EXPECT_EQ(event_.step, 12);
  EXPECT_TRUE(std::isnan(event_.wall_time));
}

TEST_F(WandbRecordTest, NamesInPartsAreJoinedByDots) {
  ASSERT_TRUE(TranslateHistory({Nested({"a", "b/c", "d"}, "1"), Item("e", R"({"f":{"g":2}})")}));
  ASSERT_EQ(event_.values.size(), 2U);
  EXPECT_EQ(event_.values[0].tag, "a.b/c.d");
  EXPECT_EQ(event_.values[1].tag, "e.f.g");
}

TEST_F(WandbRecordTest, ValuesThatAreNotFiniteAreValues) {
  ASSERT_TRUE(TranslateHistory({Item("a", "NaN"), Item("b", "\"NaN\""), Item("c", "Infinity"),
                                Item("d", "\"-Infinity\""), Item("e", "\"nano\"")}));
  ASSERT_EQ(event_.values.size(), 5U);
  EXPECT_TRUE(std::isnan(event_.values[0].scalar));
  EXPECT_TRUE(std::isnan(event_.values[1].scalar));
  EXPECT_EQ(event_.values[2].scalar, HUGE_VAL);
  EXPECT_EQ(event_.values[3].scalar, -HUGE_VAL);
  EXPECT_EQ(event_.values[4].kind, ContentKind::kText);
}

TEST_F(WandbRecordTest, OtherJsonIsATextNothingOrCounted) {
  ASSERT_TRUE(TranslateHistory({Item("yes", "true"), Item("text", R"("a\nb")"),
                                Item("none", "null"), Item("list", "[1]"), Item("bad", "{")}));
  ASSERT_EQ(event_.values.size(), 2U);
  EXPECT_EQ(event_.values[0].scalar, 1);
  EXPECT_THAT(*DecodeStrings(event_.values[1].message), ElementsAre("a\nb"));
  EXPECT_THAT(translation_.unread, ElementsAre("list", "value that is not JSON"));
}

TEST_F(WandbRecordTest, HistogramsInBothForms) {
  ASSERT_TRUE(TranslateHistory(
      {Nested({"h", "_type"}, R"("histogram")"), Nested({"h", "values"}, "[1,2]"),
       Nested({"h", "packedBins", "min"}, "-1"), Nested({"h", "packedBins", "size"}, "0.5"),
       Item("g", R"({"_type":"histogram","values":[3],"bins":[0,4]})")}));
  ASSERT_EQ(event_.values.size(), 2U);
  const auto g = DecodeHistogram(EventFileKind::kTensorBoard, event_.values[0]);
  const auto h = DecodeHistogram(EventFileKind::kTensorBoard, event_.values[1]);
  ASSERT_TRUE(g && h);
  EXPECT_EQ(g->buckets[0].width, 4);
  EXPECT_EQ(g->count, 3U);
  EXPECT_EQ(h->min, -1);
  EXPECT_EQ(h->max, 0);
  EXPECT_EQ(h->count, 3U);
}

TEST_F(WandbRecordTest, OtherObjectsAreCountedByTheirType) {
  ASSERT_TRUE(
      TranslateHistory({Nested({"p", "_type"}, R"("image-file")"), Nested({"p", "width"}, "2"),
                        Nested({"p.x"}, "3"), Item("t", R"({"_type":"table-file","ncols":2})"),
                        Item("h", R"({"_type":"histogram","values":[1],"bins":[0]})")}));
  EXPECT_THAT(event_.values, IsEmpty());
  EXPECT_THAT(translation_.unread,
              ::testing::UnorderedElementsAre("image-file", "table-file", "histogram"));
}

// Each part costs a search of names that are as long: megabytes of such names would take hours.
TEST_F(WandbRecordTest, OfANameOfManyPartsOnlyTheFirstAreLookedUp) {
  std::vector<std::string> deep(70, "a");
  deep.emplace_back("_type");
  const std::string type = Nested(deep, R"("image-file")");
  deep.back() = "width";
  ASSERT_TRUE(TranslateHistory({type, Nested(deep, "2")}));
  EXPECT_EQ(event_.values.size(), 2U);
  EXPECT_THAT(translation_.unread, IsEmpty());
}

TEST_F(WandbRecordTest, OfANameOfASummaryToo) {
  std::vector<std::string> deep(70, "a");
  deep.emplace_back("_type");
  const std::string type = Nested(deep, R"("image-file")");
  deep.back() = "width";
  ASSERT_TRUE(Translate(Message(3, Message(1, type) + Message(1, Nested(deep, "2")))));
  EXPECT_EQ(translation_.settings.size(), 2U);
}

TEST_F(WandbRecordTest, TheMachineIsRecordedAtTheStepBefore) {
  ASSERT_TRUE(TranslateHistory({Item("loss", "1")}));
  std::string time;
  wire::AppendInt(time, 1, 100);
  wire::AppendInt(time, 2, 500'000'000);
  ASSERT_TRUE(Translate(Message(7, Message(2, time) + Message(3, Item("gpu.0.temp", "61.5")))));
  EXPECT_EQ(event_.step, 7);
  EXPECT_EQ(event_.wall_time, 100.5);
  ASSERT_EQ(event_.values.size(), 1U);
  EXPECT_EQ(event_.values[0].tag, "system/gpu.0.temp");
}

TEST_F(WandbRecordTest, TheConfigurationIsSettings) {
  ASSERT_TRUE(
      Translate(Message(5, Message(1, Item("lr", "0.1")) + Message(1, Item("_wandb", "{}")) +
                               Message(1, Nested({"a", "b"}, "2")) + Message(2, Item("old", "")))));
  EXPECT_THAT(SettingsOf(translation_), ElementsAre("lr=0.1", "a.b=2", "old="));
}

TEST_F(WandbRecordTest, TheSummaryIsSettingsOrRepeatsASeries) {
  ASSERT_TRUE(
      Translate(Message(3, Message(1, Item("best", "1")) + Message(1, Nested({"loss"}, "2")) +
                               Message(1, Item("_runtime", "3")) +
                               Message(1, Nested({"p", "_type"}, R"("image-file")")) +
                               Message(1, Nested({"p", "path"}, R"("x.png")")))));
  EXPECT_THAT(SettingsOf(translation_), ElementsAre("summary.best=1", "summary.loss=2"));
  EXPECT_EQ(translation_.settings[0].of_series, "");
  EXPECT_EQ(translation_.settings[1].of_series, "loss");
}

TEST_F(WandbRecordTest, TheEnvironmentIsFactsWithoutSecrets) {
  std::string numbers;
  wire::AppendInt(numbers, 17, 8);
  wire::AppendInt(numbers, 19, 2);
  ASSERT_TRUE(Translate(Message(
      26, Message(6, "train.py") + Message(5, "--token") + Message(5, "abc123") +
              Message(5, "two words") + Message(12, "host1") + Message(18, "H100") + numbers +
              Message(9, Message(1, "https://user:password@host/r.git") + Message(2, "abc")))));
  EXPECT_THAT(
      SettingsOf(translation_),
      ElementsAre("run.host=\"host1\"", "run.cpus=8", "run.git.remote=\"https://***@host/r.git\"",
                  "run.git.commit=\"abc\"", "run.command=\"train.py --token '***' 'two words'\"",
                  "run.devices=\"2 x H100\""));
}

TEST_F(WandbRecordTest, TheEndHasTheExitCode) {
  std::string code;
  wire::AppendInt(code, 1, -11);
  ASSERT_TRUE(Translate(Message(18, code)));
  EXPECT_THAT(SettingsOf(translation_), ElementsAre("run.exit_code=-11"));
  EXPECT_TRUE(translation_.ends);
}

TEST_F(WandbRecordTest, OtherRecordsAreCountedByKind) {
  for (const std::uint32_t silent : {6U, 11U, 16U, 19U, 20U, 21U, 22U, 100U, 200U}) {
    ASSERT_TRUE(Translate(Message(silent, "")));
    EXPECT_THAT(translation_.unread, IsEmpty()) << silent;
  }
  ASSERT_TRUE(Translate(Message(8, "") + Message(10, "") + Message(13, "") + Message(77, "")));
  EXPECT_THAT(translation_.unread, ElementsAre("artifact", "alert", "console", "record 77"));
}

TEST_F(WandbRecordTest, WhatIsNoMessageIsRefused) {
  EXPECT_FALSE(Translate("\x12\x7f"));
  EXPECT_FALSE(Translate(std::string("\0\0", 2)));
  EXPECT_TRUE(Translate(""));
}

}  // namespace
}  // namespace sightline
