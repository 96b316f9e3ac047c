#include "sightline/profiler/import/chrome/chrome_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sightline/base/compress/gzip.h"
#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Import;
using testing::ImportEvents;
using testing::IsOk;
using testing::IsStatus;

// Every event is in the model, or listed as not understood.
void ExpectComplete(const Profile& profile) {
  std::uint64_t lost = 0;
  for (const NotUnderstood& one : profile.model.not_understood) lost += one.count;
  EXPECT_EQ(profile.model.events_in, profile.model.events_modelled + lost);
}

std::vector<std::string> NamesOf(const Model& model) {
  std::vector<std::string> names;
  for (const NameId name : model.spans.name) names.emplace_back(model.names[name]);
  return names;
}

TEST(ChromeReader, ReadsTimesAsNumbersAndAsStringsToTheNanosecond) {
  const Profile profile = ImportEvents(
      R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":1.5,"dur":2},)"
      R"({"ph":"X","name":"b","pid":"1","tid":"2","ts":"1795189731943100.648","dur":"14.982"})");
  const Spans& spans = profile.model.spans;
  EXPECT_THAT(spans.start, ElementsAre(1500, 1795189731943100648));
  EXPECT_THAT(spans.duration, ElementsAre(2000, 14982));
  EXPECT_EQ(profile.model.lanes.size(), 1) << "a number and a string name the same thread";
}

TEST(ChromeReader, ReadsAnArrayThatDoesNotEnd) {
  const auto profile = Import("t.json", R"([{"ph":"X","name":"a","ts":1,"dur":1},
    {"ph":"X","name":"b","ts":2,"dur":1},)");
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(NamesOf(profile->model), ElementsAre("a", "b"));
  EXPECT_THAT(profile->files.front().status, IsOk()) << "the format allows it";
}

TEST(ChromeReader, NamesTheByteWhereAFileEndsWithinAnEvent) {
  const auto profile =
      Import("t.json", R"({"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1},{"ph":"X","na)");
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(NamesOf(profile->model), ElementsAre("a"));
  EXPECT_THAT(profile->files.front().status,
              IsStatus(StatusCode::kDataLoss, "within an event at byte 53"));
  ExpectComplete(*profile);
  EXPECT_EQ(profile->model.events_in, 2);
}

TEST(ChromeReader, ReadsWhatStandsAroundTheEventsOfAnObject) {
  const auto profile = Import("t.json", R"({"schemaVersion":1,"x":{"y":[1,{"z":"]}"}]},
    "traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}],"traceName":"t\u00e9"})");
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(NamesOf(profile->model), ElementsAre("a"));
  EXPECT_THAT(profile->model.attributes, ElementsAre(::testing::Pair("schemaVersion", "1"),
                                                     ::testing::Pair("x", HasSubstr("z")),
                                                     ::testing::Pair("traceName", "t\xc3\xa9")));
}

TEST(ChromeReader, ReadsAFileThatWasWrittenTwiceIntoOne) {
  const auto profile = Import("t.json", R"([{"ph":"X","name":"a","ts":1,"dur":1}]
    [{"ph":"X","name":"b","ts":2,"dur":1}])");
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(NamesOf(profile->model), ElementsAre("a", "b"));
}

TEST(ChromeReader, RefusesWhatHoldsNoEvents) {
  for (const char* text : {"", "  ", "17", R"({"a":1})", "hello", "{", "\x0a\x02"}) {
    EXPECT_FALSE(Import("t.json", text).has_value()) << text;
  }
}

TEST(ChromeReader, ListsWhatItDoesNotUnderstandAndReadsOn) {
  const Profile profile = ImportEvents(
      R"(17, {"ph":"X","name":"a","ts":1,"dur":1}, {"ph":"X","name":"no duration","ts":1},)"
      R"({"ph":"X","ts":"soon","dur":1}, {"name":"no phase"}, {"ph":"Z","ts":1}, {"ph":"E","ts":1},)"
      R"({"ph":"X","name":"endless","ts":3e15,"dur":3e15}, {"ph":"M","name":"stranger"}, {"ph" 1},)"
      R"({"ph":"X","name":"b","ts":2,"dur":1})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("a", "b"));
  EXPECT_EQ(profile.model.events_in, 11);
  ExpectComplete(profile);
  EXPECT_THAT(profile.files.front().status,
              IsStatus(StatusCode::kDataLoss, "this is not JSON at byte 252"));
}

// A damaged event in the text of a trace, between two events a and b.
std::string Around(const std::string& damaged) {
  return R"({"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1},)" + damaged +
         R"({"ph":"X","name":"b","ts":2,"dur":1,"args":{"f":"x"}}]})";
}

TEST(ChromeReader, GoesOnAtTheEventAfterADamagedOne) {
  const std::vector<std::string> all = {
      R"({"ph":"X","name":"x,"ts":1,"dur":1},)",                       // A quote is missing,
      R"({"ph":"X","name":"x","ts":1,"args":{"f":"C:\dir\"}},)",       // or escaped.
      R"({"ph":"X","name":"x","ts":1,"du)",                            // Two writers.
      R"({"ph":"X","name":"x","ts":1,"dur":1)",                        // A bracket is missing.
      R"({"ph":"X","name":"x","ts":1": 3,)",                           // Lost bytes.
      std::string(5000, '\0') + ",",                                   // A lost page.
      R"({"ph":"X","name":"x":"args":{"a":{"b":1},"c":[{"d":2}]}},)",  // Objects that are no
                                                                       // events.
  };
  for (const std::string& damaged : all) {
    const auto profile = Import("t.json", Around(damaged));
    ASSERT_THAT(profile, IsOk()) << damaged;
    EXPECT_THAT(NamesOf(profile->model), ElementsAre("a", "b")) << damaged;
    EXPECT_EQ(profile->model.events_in, 3) << damaged;
    EXPECT_THAT(profile->files.front().status,
                IsStatus(StatusCode::kDataLoss, "this is not JSON at byte 53"))
        << damaged;
    ExpectComplete(*profile);
  }
}

// Its text would be looked through again and again for an event.
TEST(ChromeReader, EndsSoonOnATextThatIsMadeToTakeLong) {
  std::string text = Around(R"({"ph":"X","name":"x,)");
  for (int i = 0; i < 400'000; ++i) text += R"({"a":)";
  const auto profile = Import("t.json", text);
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(NamesOf(profile->model), ElementsAre("a", "b"));
  EXPECT_THAT(profile->files.front().status, IsStatus(StatusCode::kDataLoss, "not JSON"));
}

// A quote that is missing makes a text of all that follows, which no window holds.
TEST(ChromeReader, GoesOnAfterADamagedEventThatIsLargerThanItsWindow) {
  const std::string text(ByteWindow::kMaxWindow + 1, 'x');
  const auto profile = Import("t.json", Around(R"({"ph":"X","name":")" + text + "\n"));
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(NamesOf(profile->model), ElementsAre("a", "b"));
}

TEST(ChromeReader, ZerosAfterTheEndAreNoDamage) {
  const auto profile =
      Import("t.json", R"([{"ph":"X","name":"a","ts":1,"dur":1}])" + std::string(64, '\0'));
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->files.front().status, IsOk());
}

TEST(ChromeReader, SaysWhatAFileIsThatIsNoTrace) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"", "it is empty"},
      {" \n", "it is empty"},
      {"<!doctype html><html>", "HTML"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "git lfs pull"},
      {std::string("\xff\xfe{\0", 4), "UTF-16"},
      {std::string("\xfe\xff\0{", 4), "UTF-16"},
      {"PK\x03\x04 and so on", "a zip archive"},
      {Gzip(Gzip("[]")), "gzip twice"},
      {"x\x9c and so on", "zlib"},
      {R"({"lr":0.1})", "neither an array of events nor an object"},
  };
  for (const auto& [text, kind] : all) {
    const auto profile = Import("t.json", text);
    ASSERT_FALSE(profile) << kind;
    EXPECT_THAT(profile.error(), IsStatus(StatusCode::kInvalidArgument, kind));
  }
}

TEST(ChromeReader, LeavesOutASpanWhoseTimeWasLost) {
  const Profile profile = ImportEvents(R"({"ph":"X","name":"a","ts":1615207264505000,"dur":50},)"
                                       R"({"ph":"X","name":"lost","ts":0,"dur":0})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("a"));
  EXPECT_THAT(profile.model.not_understood.at(0).reason, HasSubstr("a time of 0"));
  ExpectComplete(profile);
}

TEST(ChromeReader, ATraceMayBeginAtZero) {
  const Profile profile = ImportEvents(R"({"ph":"X","name":"a","ts":0,"dur":7200000000},)"
                                       R"({"ph":"X","name":"b","ts":3700000000,"dur":5})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("a", "b")) << "it lasts until then";
  EXPECT_THAT(NamesOf(ImportEvents(R"({"ph":"X","name":"a","ts":0,"dur":1},)"
                                   R"({"ph":"i","name":"i","ts":1})")
                          .model),
              ElementsAre("a"));
}

TEST(ChromeReader, ReadsTheOlderFormOfAsynchronousEvents) {
  const Profile profile = ImportEvents(R"({"ph":"S","cat":"io","id":1,"name":"read","ts":0},)"
                                       R"({"ph":"T","cat":"io","id":1,"name":"read","ts":2},)"
                                       R"({"ph":"F","cat":"io","id":1,"name":"read","ts":5})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("read"));
  EXPECT_THAT(profile.model.spans.duration, ElementsAre(5000));
  EXPECT_EQ(profile.model.instants.size(), 1);
  EXPECT_EQ(profile.model.events_modelled, 3);
}

TEST(ChromeReader, CountersOfSeveralIdsAreSeveral) {
  const Profile profile = ImportEvents(R"({"ph":"C","name":"m","ts":0,"args":{"a":1}},)"
                                       R"({"ph":"C","name":"m","id":7,"ts":1,"args":{"a":100}})");
  ASSERT_EQ(profile.model.counters.size(), 2);
  EXPECT_EQ(profile.model.names[profile.model.counters[0].name], "m/a");
  EXPECT_EQ(profile.model.names[profile.model.counters[1].name], "m[7]/a");
}

TEST(ChromeReader, PairsBeginningsWithEnds) {
  const Profile profile = ImportEvents(
      R"({"ph":"B","name":"outer","pid":1,"tid":1,"ts":1},{"ph":"B","name":"inner","pid":1,"tid":1,"ts":2},)"
      R"({"ph":"E","pid":1,"tid":1,"ts":3},{"ph":"E","pid":1,"tid":1,"ts":5},)"
      R"({"ph":"B","name":"open","pid":1,"tid":1,"ts":6},{"ph":"i","name":"last","pid":1,"tid":1,"ts":9})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("outer", "inner", "open"));
  EXPECT_THAT(profile.model.spans.duration, ElementsAre(4000, 1000, 3000));
  EXPECT_THAT(profile.model.spans.depth, ElementsAre(0, 1, 0));
  EXPECT_EQ(profile.model.events_modelled, 6);
}

TEST(ChromeReader, PairsAsynchronousEventsByTheirIds) {
  const Profile profile = ImportEvents(
      R"({"ph":"b","cat":"io","id":1,"name":"first","ts":1},{"ph":"b","cat":"io","id":2,"name":"second","ts":2},)"
      R"({"ph":"e","cat":"io","id":1,"ts":5},{"ph":"e","cat":"io","id":2,"ts":4})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("first", "second"));
  EXPECT_THAT(profile.model.spans.duration, ElementsAre(4000, 2000));
  EXPECT_EQ(profile.model.lanes.front().kind, LaneKind::kAsync);
}

TEST(ChromeReader, PairsBeginningsWithEndsByTheirTimesWhateverTheirOrder) {
  const Profile profile =
      ImportEvents(R"({"ph":"E","name":"a","tid":1,"ts":10},{"ph":"B","name":"b","tid":1,"ts":2},)"
                   R"({"ph":"B","name":"a","tid":1,"ts":0},{"ph":"E","name":"b","tid":1,"ts":5})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("a", "b"));
  EXPECT_THAT(profile.model.spans.duration, ElementsAre(10'000, 3000));
  EXPECT_EQ(profile.model.events_modelled, 4);
}

TEST(ChromeReader, PairsAsynchronousEventsThatOverlapByTheirNames) {
  const Profile profile = ImportEvents(R"({"ph":"b","cat":"io","id":1,"name":"first","ts":0},)"
                                       R"({"ph":"b","cat":"io","id":1,"name":"second","ts":1},)"
                                       R"({"ph":"e","cat":"io","id":1,"name":"first","ts":3},)"
                                       R"({"ph":"e","cat":"io","id":1,"name":"second","ts":9})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("first", "second"));
  EXPECT_THAT(profile.model.spans.duration, ElementsAre(3000, 8000));
}

// torch 1.8 and 1.9.
TEST(ChromeReader, AddsUpAllocationsWhoseTotalIsNotWritten) {
  const Profile profile =
      ImportEvents(R"({"ph":"i","name":"[memory]","ts":1,"args":{"Device Id":0,"Bytes":1000}},)"
                   R"({"ph":"i","name":"[memory]","ts":2,"args":{"Device Id":0,"Bytes":-400}},)"
                   R"({"ph":"i","name":"[memory]","ts":3,"args":{"Device Id":1,"Bytes":50}})");
  ASSERT_EQ(profile.model.counters.size(), 2);
  EXPECT_THAT(profile.model.counters[0].value, ElementsAre(1000, 600));
  EXPECT_THAT(profile.model.counters[1].value, ElementsAre(50));
}

TEST(ChromeReader, ReadsCountersInstantsAndFlows) {
  const Profile profile =
      ImportEvents(R"({"ph":"C","name":"queue","pid":1,"ts":2,"args":{"depth":3,"note":"x"}},)"
                   R"({"ph":"C","name":"queue","pid":1,"ts":1,"args":{"depth":4.5}},)"
                   R"({"ph":"i","name":"mark","pid":1,"tid":1,"ts":1,"s":"t"},)"
                   R"({"ph":"s","name":"launch","cat":"c","id":7,"pid":1,"tid":1,"ts":1},)"
                   R"({"ph":"f","name":"launch","cat":"c","id":7,"pid":1,"tid":2,"ts":2})");
  const Model& model = profile.model;
  ASSERT_EQ(model.counters.size(), 1);
  EXPECT_EQ(model.names[model.counters[0].name], "queue/depth");
  EXPECT_THAT(model.counters[0].time, ElementsAre(1000, 2000)) << "in the order of the times";
  EXPECT_THAT(model.counters[0].value, ElementsAre(4.5, 3));
  EXPECT_EQ(model.instants.size(), 1);
  ASSERT_EQ(model.flows.size(), 2);
  EXPECT_EQ(model.flows[0].id, model.flows[1].id);
  EXPECT_EQ(model.flows[1].phase, FlowPhase::kEnd);
}

TEST(ChromeReader, NamesLanesByMetadataThatComesLast) {
  const Profile profile = ImportEvents(
      R"({"ph":"X","name":"op","pid":2,"tid":0,"ts":1,"dur":1},)"
      R"({"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"CPU OP"}},)"
      R"({"ph":"M","name":"thread_name","pid":2,"tid":0,"args":{"name":"Thread \"0\""}})");
  const Lane& lane = profile.model.lanes.front();
  EXPECT_EQ(profile.model.names[lane.process_name], "CPU OP");
  EXPECT_EQ(profile.model.names[lane.thread_name], "Thread \"0\"");
  EXPECT_EQ(profile.model.spans.kind.front(), SpanKind::kOperator);
}

TEST(ChromeReader, PutsSpansOfALaneInOrderWithTheLongerFirst) {
  const Profile profile =
      ImportEvents(R"({"ph":"X","name":"c","ts":5,"dur":1},{"ph":"X","name":"b","ts":1,"dur":1},)"
                   R"({"ph":"X","name":"a","ts":1,"dur":9})");
  EXPECT_THAT(NamesOf(profile.model), ElementsAre("a", "b", "c"));
  EXPECT_THAT(profile.model.spans.depth, ElementsAre(0, 1, 1));
}

// A window holds two megabytes: events must survive its edges.
TEST(ChromeReader, ReadsEventsAcrossTheEdgesOfItsWindow) {
  std::string text = "[";
  constexpr int kEvents = 40'000;
  for (int i = 0; i < kEvents; ++i) {
    text += R"({"ph":"X","name":"operator )" + std::to_string(i % 7) +
            R"(","pid":1,"tid":1,"ts":)" + std::to_string(i) + R"(,"dur":0.5,"args":{"id":")" +
            std::string(60, 'x') + "\"}},\n";
  }
  const auto profile = Import("t.json", text + "]");
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->model.spans.size(), kEvents);
  EXPECT_EQ(profile->model.events_modelled, kEvents);
  EXPECT_EQ(profile->model.spans.start.back(), std::int64_t{kEvents - 1} * 1000);
}

}  // namespace
}  // namespace sightline::profiler
