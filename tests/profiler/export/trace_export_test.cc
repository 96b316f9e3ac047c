// Traces that are written of a model, read back.
#include "sightline/profiler/export/trace_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using testing::Import;
using testing::ImportCorpus;
using testing::ImportEvents;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr TimeRange kAll = {-kMaxTime, kMaxTime};

Model Read(const std::string& name, const std::string& trace) {
  auto profile = Import(name, trace);
  EXPECT_THAT(profile, IsOk());
  if (!profile) return {};
  EXPECT_EQ(profile->model.events_in, profile->model.events_modelled);
  return std::move(profile->model);
}
Model ThroughPerfetto(const Model& model, TimeRange range = kAll) {
  return Read("cut.perfetto-trace", ExportPerfetto(model, range));
}
Model ThroughChrome(const Model& model, TimeRange range = kAll) {
  return Read("cut.json", ExportChrome(model, range));
}

// "<name> <start>+<duration>" of the spans, in nanoseconds and by name.
std::vector<std::string> Spans(const Model& model) {
  std::vector<std::string> spans;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    spans.push_back(std::string(model.names[model.spans.name[i]]) + " " +
                    std::to_string(model.spans.start[i]) + "+" +
                    std::to_string(model.spans.duration[i]));
  }
  std::sort(spans.begin(), spans.end());
  return spans;
}

constexpr char kEvents[] =
    R"({"ph":"M","name":"process_name","pid":3,"args":{"name":"python"}},)"
    R"({"ph":"M","name":"thread_name","pid":3,"tid":7,"args":{"name":"main"}},)"
    R"({"ph":"X","name":"outer","cat":"cpu_op","pid":3,"tid":7,"ts":10,"dur":80,"args":{"n":4,"s":"x"}},)"
    R"({"ph":"X","name":"inner","pid":3,"tid":7,"ts":20.125,"dur":5},)"
    R"({"ph":"X","name":"late","pid":3,"tid":7,"ts":95,"dur":0},)"
    R"({"ph":"i","name":"mark","pid":3,"tid":7,"ts":30},)"
    R"({"ph":"C","name":"memory","pid":3,"ts":5,"args":{"bytes":1}},)"
    R"({"ph":"C","name":"memory","pid":3,"ts":50,"args":{"bytes":2.5}},)"
    R"({"ph":"C","name":"memory","pid":3,"ts":95,"args":{"bytes":3}},)"
    R"({"ph":"s","name":"arrow","id":9,"pid":3,"tid":7,"ts":21},)"
    R"({"ph":"f","name":"arrow","id":9,"pid":3,"tid":7,"ts":95})";

TEST(TraceExport, KeepsSpansWithTheirArgumentsAndThread) {
  const Model model = ImportEvents(kEvents).model;
  for (const Model& copy : {ThroughPerfetto(model), ThroughChrome(model)}) {
    EXPECT_THAT(Spans(copy), ElementsAre("inner 20125+5000", "late 95000+0", "outer 10000+80000"));
    EXPECT_EQ(copy.names[copy.spans.detail[0]], R"({"n":4,"s":"x"})");
    EXPECT_EQ(copy.names[copy.spans.category[0]], "cpu_op");
    EXPECT_EQ(copy.names[copy.lane_of(0).thread], "7");
    EXPECT_EQ(copy.names[copy.lane_of(0).thread_name], "main");
    EXPECT_EQ(copy.names[copy.lane_of(0).process_name], "python");
  }
}

TEST(TraceExport, KeepsCountersInstantsAndArrows) {
  const Model model = ImportEvents(kEvents).model;
  for (const Model& copy : {ThroughPerfetto(model), ThroughChrome(model)}) {
    ASSERT_EQ(copy.counters.size(), 1);
    EXPECT_THAT(copy.counters[0].time, ElementsAre(5000, 50000, 95000));
    EXPECT_THAT(copy.counters[0].value, ElementsAre(1, 2.5, 3));
    ASSERT_EQ(copy.instants.size(), 1);
    EXPECT_EQ(copy.instants[0].time, 30000);
    ASSERT_EQ(copy.flows.size(), 2);
    EXPECT_EQ(copy.flows[0].id, copy.flows[1].id);
    EXPECT_EQ(copy.flows[1].phase, FlowPhase::kEnd);
  }
  EXPECT_EQ(ThroughPerfetto(model).flows[0].time, 20125) << "bound to the span around it";
}

TEST(TraceExport, OfATimeKeepsWhatTouchesItWhole) {
  const Model model = ImportEvents(kEvents).model;
  const TimeRange range = {25000, 60000};
  for (const Model& copy : {ThroughPerfetto(model, range), ThroughChrome(model, range)}) {
    EXPECT_THAT(Spans(copy), ElementsAre("inner 20125+5000", "outer 10000+80000"));
    ASSERT_EQ(copy.counters.size(), 1);
    EXPECT_THAT(copy.counters[0].time, ElementsAre(5000, 50000))
        << "the value with which it begins, too";
    EXPECT_EQ(copy.instants.size(), 1);
    EXPECT_EQ(copy.flows.size(), 0);
  }
}

TEST(TraceExport, ATraceIsKnownByItsNameOrByHowItBegins) {
  const Model model = ImportEvents(kEvents).model;
  for (const char* name : {"cut.pftrace", "cut.perfetto-trace.gz", "cut", "cut.pb"})
    EXPECT_THAT(Spans(Read(name, ExportPerfetto(model, kAll))), SizeIs(3)) << name;
  for (const char* name : {"cut.trace.json.gz", "cut", "cut.txt"})
    EXPECT_THAT(Spans(Read(name, "\n " + ExportChrome(model, kAll))), SizeIs(3)) << name;
}

// A forged file may have any; printing them by recursion would run out of stack.
TEST(TraceExport, KeepsArgumentsThatNestDeeplyAsText) {
  const std::string deep =
      R"({"a":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  const Model model =
      ImportEvents(R"({"ph":"X","name":"a","tid":1,"ts":10,"dur":1,"args":)" + deep + "}").model;
  for (const Model& copy : {ThroughPerfetto(model), ThroughChrome(model)}) {
    ASSERT_THAT(Spans(copy), ElementsAre("a 10000+1000"));
    EXPECT_THAT(copy.names[copy.spans.detail[0]], StartsWith(R"({"args":"{\"a\":[[[)"));
  }
}

TEST(TraceExport, OfATimeWithNothingIsAValidTrace) {
  const Model model = ImportEvents(R"({"ph":"X","name":"a","tid":1,"ts":10,"dur":1})").model;
  EXPECT_THAT(Spans(ThroughPerfetto(model, {0, 5})), IsEmpty());
  EXPECT_EQ(ExportChrome(model, {0, 5}), "[\n]\n");
}

TEST(TraceExport, SpansThatCrossGoToATrackOfTheirOwn) {
  const Model model = ImportEvents(R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":0,"dur":10},)"
                                   R"({"ph":"X","name":"b","pid":1,"tid":2,"ts":5,"dur":10},)"
                                   R"({"ph":"X","name":"c","pid":1,"tid":2,"ts":6,"dur":2})")
                          .model;
  const Model copy = ThroughPerfetto(model);
  EXPECT_THAT(Spans(copy), ElementsAre("a 0+10000", "b 5000+10000", "c 6000+2000"));
  EXPECT_EQ(copy.lanes.size(), 2);
}

TEST(TraceExport, SpansOfWhichHundredsCrossKeepTheirTimes) {
  std::string events;
  for (int i = 0; i < 600; ++i) {
    events += std::string(i == 0 ? "" : ",") +
              R"({"ph":"X","name":"a","pid":1,"tid":2,"dur":200,"ts":)" + std::to_string(i) + "}";
  }
  const Model model = ImportEvents(events).model;
  const Model copy = ThroughPerfetto(model);
  EXPECT_EQ(Spans(copy), Spans(model));
  EXPECT_EQ(copy.lanes.size(), 200);
  for (const Lane& lane : copy.lanes) EXPECT_EQ(lane.depths, 1);
}

TEST(TraceExport, TimesBelowZeroAreMovedToIt) {
  const Model model =
      ImportEvents(R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":-5,"dur":10})").model;
  EXPECT_THAT(Spans(ThroughPerfetto(model)), ElementsAre("a 0+10000"));
  EXPECT_THAT(Spans(ThroughChrome(model)), ElementsAre("a -5000+10000"));
}

TEST(TraceExport, NamesThatAreNoUtf8StayReadable) {
  const Model model =
      ImportEvents("{\"ph\":\"X\",\"name\":\"a\xff\",\"pid\":1,\"tid\":2,\"ts\":0,\"dur\":1}")
          .model;
  for (const Model& copy : {ThroughPerfetto(model), ThroughChrome(model)}) {
    ASSERT_EQ(copy.spans.size(), 1);
    EXPECT_EQ(copy.names[copy.spans.name[0]], "a\xef\xbf\xbd");
  }
}

// Of each kind of profile of the corpus.
class TraceExportOfCorpus : public ::testing::TestWithParam<const char*> {};

TEST_P(TraceExportOfCorpus, HasTheSameSpansAndCounters) {
  const Model model = ImportCorpus(GetParam()).model;
  for (const Model& copy : {ThroughPerfetto(model), ThroughChrome(model)}) {
    EXPECT_TRUE(Spans(copy) == Spans(model));
    EXPECT_EQ(copy.instants.size(), model.instants.size());
    EXPECT_EQ(copy.flows.size(), model.flows.size());
    std::size_t values = 0;
    std::size_t copied = 0;
    for (const Counter& counter : model.counters) values += counter.time.size();
    for (const Counter& counter : copy.counters) copied += counter.time.size();
    EXPECT_EQ(copied, values);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, TraceExportOfCorpus,
                         ::testing::Values("mindspore_2_7/dynamic_ascend_ms",
                                           "torch/plain.pt.trace.json.gz"));

}  // namespace
}  // namespace sightline::profiler
