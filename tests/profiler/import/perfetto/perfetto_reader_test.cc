// Perfetto's traces and XLA's xplanes, written field by field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using testing::Import;
using testing::IsOk;

// A message, field by field.
class Message {
 public:
  Message& Int(std::uint32_t field, std::int64_t value) {
    wire::AppendInt(bytes_, field, value);
    return *this;
  }
  Message& Text(std::uint32_t field, std::string_view text) {
    wire::AppendBytes(bytes_, field, text);
    return *this;
  }
  Message& Sub(std::uint32_t field, const Message& message) { return Text(field, message.bytes_); }
  Message& Double(std::uint32_t field, double value) {
    wire::AppendDouble(bytes_, field, value);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string Packet(const Message& packet) { return Message().Sub(1, packet).bytes(); }

// A thread "trainer" of process 7 on track 20, whose sequence counts microseconds from 5,000 ns.
std::string Head() {
  return Packet(Message().Int(10, 1).Sub(
             60, Message().Int(1, 10).Sub(3, Message().Int(1, 7).Text(6, "python")))) +
         Packet(Message().Int(10, 1).Sub(
             60, Message().Int(1, 20).Int(5, 10).Sub(
                     4, Message().Int(1, 7).Int(2, 70).Text(5, "trainer")))) +
         Packet(Message()
                    .Int(10, 2)
                    .Int(13, 1)
                    .Sub(59, Message().Int(58, 64).Sub(11, Message().Int(11, 20)))
                    .Sub(6, Message()
                                .Sub(1, Message().Int(1, 3).Int(2, 5000))
                                .Sub(1, Message().Int(1, 64).Int(2, 0).Int(3, 1).Int(4, 1000))));
}

Message Event(std::int64_t delta, const Message& event) {
  return Message().Int(8, delta).Int(10, 2).Int(13, 2).Sub(11, event);
}

// Beside MindSpore's files, whose times are wall times.
TEST(PerfettoReader, InAMindSporeFolderTimesAreWallTimes) {
  testing::MemoryFileSystem files;
  const std::string folder = "data/vm_1_ascend_ms";
  files.Put(folder + "/FRAMEWORK/cpu_op_execute_timestamp_0.txt",
            "Default/MatMul-op1;HostCpuOps;1700000000000002000,0.001,0 \n");
  const std::string clocks =
      Packet(Message().Sub(6, Message()
                                  .Sub(1, Message().Int(1, 3).Int(2, 4000))
                                  .Sub(1, Message().Int(1, 1).Int(2, 1'700'000'000'000'000'000))));
  files.Put(folder + "/sightline/profile_1_1.perfetto-trace",
            clocks + Head() + Packet(Event(2, Message().Int(9, 1).Text(23, "forward"))) +
                Packet(Event(1, Message().Int(9, 2))));
  const auto profile = profiler::ImportProfile(folder, {.file_system = &files});
  ASSERT_THAT(profile, IsOk());
  const Spans& spans = profile->model.spans;
  ASSERT_EQ(spans.size(), 2);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool own = profile->model.names[spans.name[i]] == "forward";
    EXPECT_EQ(spans.start[i] - 1'700'000'000'000'000'000, own ? 3000 : 2000);
  }
  EXPECT_EQ(profile->operator_source, OperatorSource::kTimestamps);
}

TEST(PerfettoReader, ReadsSlicesWithInternedNamesAndTheSequencesClock) {
  Message named = Event(1, Message().Int(9, 1).Int(10, 1).Int(3, 1));
  named.Sub(12, Message()
                    .Sub(1, Message().Int(1, 1).Text(2, "operator"))
                    .Sub(2, Message().Int(1, 1).Text(2, "Conv2D-op1")));
  const auto profile =
      Import("t.pftrace", Head() + Packet(named) + Packet(Event(3, Message().Int(9, 2))) +
                              Packet(Event(2, Message().Int(9, 1).Int(10, 1))) +
                              Packet(Event(1, Message().Int(9, 2))));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  EXPECT_THAT(model.spans.start, ElementsAre(6000, 11000));
  EXPECT_THAT(model.spans.duration, ElementsAre(3000, 1000));
  EXPECT_EQ(model.names[model.spans.name[0]], "Conv2D-op1");
  EXPECT_EQ(model.names[model.spans.type[0]], "Conv2D");
  EXPECT_EQ(model.spans.kind[0], SpanKind::kOperator);
  EXPECT_EQ(model.names[model.lanes[0].thread_name], "trainer");
  EXPECT_EQ(model.names[model.lanes[0].process_name], "python");
  EXPECT_EQ(model.events_in, 7);
  EXPECT_EQ(model.events_modelled, 7);
}

TEST(PerfettoReader, ATrackBelowAThreadHasTheThreadsName) {
  const std::string steps =
      Packet(Message().Int(10, 1).Sub(60, Message().Int(1, 30).Int(5, 20).Text(2, "steps")));
  const auto profile =
      Import("t.pftrace", Head() + steps +
                              Packet(Event(1, Message().Int(9, 1).Int(11, 30).Text(23, "a"))) +
                              Packet(Event(1, Message().Int(9, 2).Int(11, 30))));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  EXPECT_EQ(model.names[model.lanes[0].thread_name], "trainer steps");
  EXPECT_EQ(model.names[model.lanes[0].process_name], "python");
}

// A slice on the thread's track whose name's id is defined in the packet, or not at all where
// `name` is empty.
std::string Named(std::int64_t iid, std::string_view name) {
  Message begin = Event(1, Message().Int(9, 1).Int(10, iid));
  if (!name.empty()) begin.Sub(12, Message().Sub(2, Message().Int(1, iid).Text(2, name)));
  return Packet(begin) + Packet(Event(1, Message().Int(9, 2)));
}

TEST(PerfettoReader, IdsOfNamesMayLieFarApartAndBeGivenAnew) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62U;
  const auto profile = Import("t.pftrace", Head() + Named(1, "a") + Named(kFar, "far") +
                                               Named(100, "b") + Named(kFar, "") + Named(1, "c") +
                                               Named(1, "") + Named(100, "") + Named(7, ""));
  ASSERT_THAT(profile, IsOk());
  std::vector<std::string> names;
  for (const NameId name : profile->model.spans.name)
    names.emplace_back(profile->model.names[name]);
  EXPECT_THAT(names, ElementsAre("a", "far", "b", "far", "c", "c", "b", ""));
}

TEST(PerfettoReader, SequencesAndTracksMayAlternate) {
  const auto on = [](std::int64_t sequence, std::int64_t type, std::string_view name) {
    Message event = Message().Int(9, type).Int(11, sequence);
    if (!name.empty()) event.Text(23, name);
    return Packet(Message().Int(8, type).Int(58, 6).Int(10, sequence).Sub(11, event));
  };
  const auto profile = Import("t.pftrace", on(5, 1, "five") + on(6, 1, "six") + on(5, 2, "") +
                                               on(6, 1, "inner") + on(6, 2, "") + on(6, 2, ""));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  ASSERT_EQ(model.lanes.size(), 2);
  EXPECT_THAT(model.lanes[0].count, 1);
  EXPECT_THAT(model.lanes[1].count, 2);
  EXPECT_THAT(model.spans.duration, ElementsAre(1, 1, 1));
}

// As TraceWriter has them: tracks below tracks, without processes or threads.
TEST(PerfettoReader, TracksOfOneNameBelowSeveralAreSeveralLanes) {
  const auto track = [](std::int64_t id, std::string_view name, std::int64_t parent) {
    Message descriptor = Message().Int(1, id).Text(2, name);
    if (parent != 0) descriptor.Int(5, parent);
    return Packet(Message().Int(10, 1).Sub(60, descriptor));
  };
  const auto span = [](std::int64_t id) {
    return Packet(Message().Int(8, 1).Int(10, 1).Sub(
               11, Message().Int(9, 1).Int(11, id).Text(23, "a"))) +
           Packet(Message().Int(8, 4).Int(10, 1).Sub(11, Message().Int(9, 2).Int(11, id)));
  };
  const auto profile =
      Import("t.pftrace", track(1, "gpu 0", 0) + track(2, "gpu 1", 0) + track(3, "stream 7", 1) +
                              track(4, "stream 7", 2) + track(5, "copies", 4) +
                              track(6, std::string(1000, 'x'), 0) + track(7, "y", 6) + span(3) +
                              span(4) + span(5) + span(7));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  std::vector<std::string> lanes;
  for (const Lane& lane : model.lanes) {
    lanes.push_back(std::string(model.names[lane.process]) + ": " +
                    std::string(model.names[lane.thread]));
  }
  EXPECT_THAT(lanes, ElementsAre("gpu 0: stream 7", "gpu 1: stream 7", "gpu 1: stream 7 / copies",
                                 std::string(256, 'x') + ": y"));
}

TEST(PerfettoReader, ReadsCountersInstantsFlowsAndNotes) {
  const Message counter_track = Message().Int(1, 30).Int(5, 10).Text(2, "depth").Sub(8, Message());
  std::string flow =
      Event(1, Message().Int(9, 3).Text(23, "mark").Sub(4, Message().Text(10, "n").Int(4, 5)))
          .bytes();
  const auto profile =
      Import("t.pftrace", Head() + Packet(Message().Int(10, 1).Sub(60, counter_track)) +
                              Message().Text(1, flow).bytes() +
                              Packet(Event(1, Message().Int(9, 4).Int(11, 30).Int(30, 12))) +
                              Packet(Event(1, Message().Int(9, 4).Int(11, 30).Double(44, 2.5))) +
                              Packet(Message().Int(10, 3).Text(1, "kernel events")));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  ASSERT_EQ(model.counters.size(), 1);
  EXPECT_EQ(model.names[model.counters[0].name], "depth");
  EXPECT_THAT(model.counters[0].value, ElementsAre(12, 2.5));
  ASSERT_EQ(model.instants.size(), 1);
  EXPECT_EQ(model.names[model.instants[0].detail], R"({"n":5})");
  ASSERT_EQ(model.not_understood.size(), 1);
  EXPECT_EQ(model.not_understood[0].reason, "a packet of field 1");
}

// The file may have it once, and each event repeat it.
// A counter "memory" on track 30, with this descriptor of its values.
std::string CounterTrack(const Message& descriptor) {
  return Packet(
      Message().Int(10, 1).Sub(60, Message().Int(1, 30).Text(2, "memory").Sub(8, descriptor)));
}

TEST(PerfettoReader, ACounterMayTellDifferencesInUnitsOfItsOwn) {
  std::string trace = Head() + CounterTrack(Message().Int(4, 1024).Int(5, 1));
  for (const int value : {10, 5, -3})
    trace += Packet(Event(1, Message().Int(9, 4).Int(11, 30).Int(30, value)));
  const auto profile = Import("t.perfetto-trace", trace);
  ASSERT_THAT(profile, IsOk());
  ASSERT_EQ(profile->model.counters.size(), 1);
  EXPECT_THAT(profile->model.counters[0].value, ElementsAre(10240, 15360, 12288));
}

TEST(PerfettoReader, ReadsTheCountersBesideAnEvent) {
  std::string packed;
  wire::AppendVarint(packed, 7);
  const std::string trace =
      Head() + CounterTrack(Message()) +
      Packet(Event(1, Message().Int(9, 1).Text(23, "a").Int(31, 30).Int(12, 42))) +
      Packet(Event(1, Message().Int(9, 2).Int(45, 30).Double(46, 0.5))) +
      Packet(Message().Int(10, 2).Sub(
          59, Message().Int(58, 64).Sub(11, Message().Int(11, 20).Int(31, 30)))) +
      Packet(Event(1, Message().Int(9, 3).Text(12, packed))) +
      Packet(Event(1, Message().Int(9, 3).Int(12, 1).Int(12, 2)));
  const auto profile = Import("t.perfetto-trace", trace);
  ASSERT_THAT(profile, IsOk());
  ASSERT_EQ(profile->model.counters.size(), 1);
  EXPECT_EQ(profile->model.names[profile->model.counters[0].name], "memory");
  EXPECT_THAT(profile->model.counters[0].value, ElementsAre(42, 0.5, 7, 1));
  ASSERT_EQ(profile->model.not_understood.size(), 1) << "the second value of the last event";
  EXPECT_EQ(profile->model.not_understood[0].reason, "a counter without a track");
}

std::string Compressed(const std::string& bytes) {
  std::string zlib(compressBound(bytes.size()), '\0');
  uLongf size = zlib.size();
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(zlib.data()), &size,
                     reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  zlib.resize(size);
  return zlib;
}

TEST(PerfettoReader, ReadsCompressedPackets) {
  const std::string events = Packet(Event(2, Message().Int(9, 1).Text(23, "forward"))) +
                             Packet(Event(1, Message().Int(9, 2)));
  std::string zlib = Compressed(events);
  const auto profile = Import("t.perfetto-trace", Head() + Packet(Message().Text(50, zlib)));
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->model.spans.duration, ElementsAre(1000));
  zlib[zlib.size() / 2] ^= 0x55;
  const auto damaged = Import("t.perfetto-trace", Head() + Packet(Message().Text(50, zlib)));
  ASSERT_THAT(damaged, IsOk());
  EXPECT_EQ(damaged->model.not_understood.at(0).reason, "compressed packets that are damaged");
}

TEST(PerfettoReader, CompressedPacketsDoNotUnpackWithoutEnd) {
  const std::string bomb = Compressed(Packet(Message().Text(23, std::string(1U << 20U, ' '))));
  ASSERT_LT(bomb.size(), 1U << 12U);
  const auto profile = Import("t.perfetto-trace", Head() + Packet(Message().Text(50, bomb)));
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->model.not_understood.at(0).reason, "compressed packets that are damaged");
}

TEST(PerfettoReader, PairsEventsThatComeOutOfOrderByTheirTimes) {
  const auto event = [](std::int64_t time, const Message& told) {
    return Packet(Message().Int(8, time).Int(58, 3).Int(10, 2).Sub(11, told));
  };
  const auto profile =
      Import("t.perfetto-trace", Head() + event(9000, Message().Int(9, 2)) +
                                     event(1000, Message().Int(9, 1).Text(23, "outer")) +
                                     event(2000, Message().Int(9, 1).Text(23, "inner")) +
                                     event(3000, Message().Int(9, 2)));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  EXPECT_THAT(model.spans.start, ElementsAre(1000, 2000));
  EXPECT_THAT(model.spans.duration, ElementsAre(8000, 1000));
  EXPECT_TRUE(model.not_understood.empty());
}

TEST(PerfettoReader, TimesOfSeveralClocksAreOnTheTracesOwn) {
  const std::string clocks = Packet(Message().Sub(6, Message()
                                                         .Sub(1, Message().Int(1, 3).Int(2, 1'000))
                                                         .Sub(1, Message().Int(1, 6).Int(2, 9'000))
                                                         .Int(2, 3)));
  const auto instant = [](std::int64_t time, std::int64_t clock) {
    return Packet(
        Message().Int(8, time).Int(58, clock).Int(10, 3).Sub(11, Message().Int(9, 3).Int(11, 20)));
  };
  const auto profile = Import("t.perfetto-trace", Head() + clocks + instant(2'000, 3) +
                                                      instant(10'500, 6) + instant(11'000, 0));
  ASSERT_THAT(profile, IsOk());
  std::vector<std::int64_t> times;
  for (const Instant& one : profile->model.instants) times.push_back(one.time);
  EXPECT_THAT(times, ::testing::UnorderedElementsAre(2'000, 2'500, 3'000))
      << "an event without a clock has that of boot";
}

// Chrome's events in Perfetto's form, and times as they were before packets had some.
TEST(PerfettoReader, ReadsLegacyEvents) {
  const auto legacy = [](char phase, const Message& event) {
    return Message(event).Sub(6, Message().Int(2, phase).Int(3, 5).Int(6, 1));
  };
  const std::string thread =
      Packet(Message().Int(10, 5).Sub(43, Message().Int(1, 9).Text(6, "old"))) +
      Packet(Message().Int(10, 5).Sub(44,
                                      Message().Int(1, 9).Int(2, 90).Text(5, "main").Int(6, 1000)));
  const auto at = [](const Message& event) { return Packet(Message().Int(10, 5).Sub(11, event)); };
  const auto profile = Import(
      "t.perfetto-trace", thread + at(legacy('X', Message().Int(1, 2).Text(23, "x"))) +
                              at(legacy('b', Message().Int(1, 10).Text(22, "io").Text(23, "r"))) +
                              at(legacy('B', Message().Int(16, 1020).Text(23, "b"))) +
                              at(legacy('E', Message().Int(16, 1021))) +
                              at(legacy('e', Message().Int(1, 20).Text(22, "io").Text(23, "r"))));
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  EXPECT_TRUE(model.not_understood.empty());
  ASSERT_EQ(model.lanes.size(), 2);
  EXPECT_EQ(model.names[model.lanes[0].process_name], "old");
  EXPECT_EQ(model.names[model.lanes[0].thread_name], "main");
  EXPECT_EQ(model.lanes[1].kind, LaneKind::kAsync);
  EXPECT_THAT(model.spans.start, ElementsAre(1'002'000, 1'020'000, 1'012'000));
  EXPECT_THAT(model.spans.duration, ElementsAre(5'000, 1'000, 20'000));
}

TEST(PerfettoReader, LongNamesOfNotesAreCut) {
  const Message note = Message().Text(10, std::string(1000, 'n')).Int(4, 5);
  const auto profile = Import(
      "t.pftrace", Head() + Packet(Event(1, Message().Int(9, 3).Text(23, "mark").Sub(4, note))));
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->model.names[profile->model.instants.at(0).detail],
            "{\"" + std::string(256, 'n') + "\":5}");
}

TEST(PerfettoReader, ReadsATraceThatIsCutAtAnyByte) {
  const std::string text = Head() + Packet(Event(1, Message().Int(9, 1).Text(23, "open"))) +
                           Packet(Event(4, Message().Int(9, 3).Text(23, "last")));
  for (std::size_t size = 1; size < text.size(); ++size) {
    const auto profile = Import("t.pftrace", text.substr(0, size));
    if (profile) {
      EXPECT_LE(profile->model.spans.size(), 1);
    }
  }
  const auto whole = Import("t.pftrace", text);
  ASSERT_THAT(whole, IsOk());
  EXPECT_THAT(whole->model.spans.duration, ElementsAre(4000)) << "open to the trace's end";
}

TEST(PerfettoReader, RefusesOtherBytes) {
  EXPECT_FALSE(Import("t.pftrace", "").has_value());
  EXPECT_FALSE(Import("t.pftrace", "hello").has_value());
}

TEST(XplaneReader, ReadsPlanesLinesAndEvents) {
  const Message line = Message()
                           .Int(1, 3)
                           .Text(2, "python")
                           .Int(3, 6660)
                           .Sub(4, Message().Int(1, 1).Int(2, 4336000).Int(3, 58267000))
                           .Sub(4, Message().Int(1, 1).Int(5, 9));
  const Message plane =
      Message()
          .Text(2, "/host:CPU")
          .Sub(3, line)
          .Sub(4, Message().Int(1, 1).Sub(2, Message().Int(1, 1).Text(2, "train")));
  const std::string text = Message().Sub(1, plane).bytes();
  const auto profile = Import("h.xplane.pb", text);
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  EXPECT_THAT(model.spans.start, ElementsAre(10996)) << "as its twin in JSON says";
  EXPECT_THAT(model.spans.duration, ElementsAre(58267));
  EXPECT_EQ(model.names[model.spans.name[0]], "train");
  EXPECT_EQ(model.events_in, 2);
  EXPECT_EQ(model.events_modelled, 1);
  for (std::size_t size = 1; size < text.size(); ++size) {
    const auto cut = Import("h.xplane.pb", text.substr(0, size));
    if (cut) {
      EXPECT_LE(cut->model.spans.size(), 1);
    }
  }
}

}  // namespace
}  // namespace sightline::profiler
