#include "sightline/tests/profiler/record/trace_reading.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sightline/base/wire.h"

namespace sightline::testing {
namespace {

using wire::Field;
using wire::Scanner;

std::map<std::uint32_t, std::vector<Field>> Fields(std::string_view message) {
  std::map<std::uint32_t, std::vector<Field>> fields;
  Field field;
  Scanner scan(message);
  while (scan.Next(field)) fields[field.number].push_back(field);
  EXPECT_FALSE(scan.malformed());
  return fields;
}

struct Sequence {
  std::int64_t now = 0;
  std::uint64_t track = 0;
  std::map<std::uint64_t, std::string> names;
  std::map<std::uint64_t, std::string> categories;
};

struct Track {
  std::string name;
  std::uint64_t parent = 0;
  std::vector<std::size_t> open;
};

class Parser {
 public:
  explicit Parser(ReadTrace& trace) : trace_(trace) {}

  void Packet(std::string_view bytes) {
    auto packet = Fields(bytes);
    Sequence& sequence = sequences_[packet[10].empty() ? 0 : packet[10][0].number_value];
    if (!packet[60].empty()) Descriptor(packet[60][0].bytes);
    if (!packet[6].empty()) Clocks(sequence, packet[6][0].bytes);
    if (!packet[59].empty()) {
      auto defaults = Fields(packet[59][0].bytes);
      EXPECT_EQ(defaults[58].at(0).number_value, 64U);
      sequence.track = Fields(defaults[11].at(0).bytes)[11].at(0).number_value;
    }
    if (!packet[12].empty()) Interned(sequence, packet[12][0].bytes);
    if (packet[11].empty()) return;
    const auto value = static_cast<std::int64_t>(packet[8].at(0).number_value);
    const std::int64_t nanos = packet[58].empty() ? (sequence.now += value) : value;
    Event(sequence, nanos, packet[11][0].bytes);
  }

  void NameTracks() {
    for (ReadSlice& slice : trace_.slices) {
      const Track& track = tracks_[std::stoull(slice.track)];
      slice.track = track.name;
      if (!track.name.empty() && tracks_.contains(track.parent) &&
          tracks_[track.parent].parent != 0) {
        slice.track = tracks_[track.parent].name + "/" + track.name;
      }
    }
  }

 private:
  void Descriptor(std::string_view bytes) {
    auto descriptor = Fields(bytes);
    Track& track = tracks_[descriptor[1].at(0).number_value];
    if (!descriptor[5].empty()) track.parent = descriptor[5][0].number_value;
    if (!descriptor[2].empty()) track.name = descriptor[2][0].bytes;
    if (!descriptor[4].empty()) track.name = Fields(descriptor[4][0].bytes)[5].at(0).bytes;
  }

  void Clocks(Sequence& sequence, std::string_view bytes) {
    std::map<std::uint64_t, std::int64_t> clocks;
    auto snapshot = Fields(bytes);
    for (const Field& field : snapshot[1]) {
      auto clock = Fields(field.bytes);
      clocks[clock[1].at(0).number_value] = static_cast<std::int64_t>(clock[2].at(0).number_value);
    }
    if (clocks.contains(64)) {
      EXPECT_EQ(clocks[64], clocks[3]);
      sequence.now = clocks[64];
    } else {
      trace_.wall_minus_monotonic = clocks[1] - clocks[3];
    }
  }

  void Interned(Sequence& sequence, std::string_view bytes) {
    auto interned = Fields(bytes);
    for (const Field& field : interned[1]) {
      auto entry = Fields(field.bytes);
      sequence.categories[entry[1].at(0).number_value] = entry[2].at(0).bytes;
    }
    for (const Field& field : interned[2]) {
      auto entry = Fields(field.bytes);
      sequence.names[entry[1].at(0).number_value] = entry[2].at(0).bytes;
      ++trace_.interned[std::string(entry[2].at(0).bytes)];
    }
  }

  void Event(Sequence& sequence, std::int64_t nanos, std::string_view bytes) {
    auto event = Fields(bytes);
    const std::uint64_t uuid = event[11].empty() ? sequence.track : event[11][0].number_value;
    Track& track = tracks_[uuid];
    const std::uint64_t type = event[9].at(0).number_value;
    if (type == 2) {
      if (track.open.empty()) {
        ++trace_.ends_without_begin;
        return;
      }
      trace_.slices[track.open.back()].end = nanos;
      track.open.pop_back();
      return;
    }
    if (type == 4) {
      trace_.counters[track.name].push_back(event[44].at(0).AsDouble());
      return;
    }
    ReadSlice slice;
    slice.track = std::to_string(uuid);
    if (!track.open.empty()) slice.parent = trace_.slices[track.open.back()].name;
    slice.name = event[23].empty() ? sequence.names.at(event[10].at(0).number_value)
                                   : std::string(event[23][0].bytes);
    if (!event[3].empty()) slice.category = sequence.categories.at(event[3][0].number_value);
    slice.begin = nanos;
    slice.instant = type == 3;
    for (const Field& field : event[4]) {
      auto arg = Fields(field.bytes);
      std::string& value = slice.args[std::string(arg[10].at(0).bytes)];
      if (!arg[6].empty()) value = arg[6][0].bytes;
      if (!arg[4].empty()) value = std::to_string(arg[4][0].AsInt64());
      if (!arg[5].empty()) value = std::to_string(arg[5][0].AsDouble());
    }
    for (const Field& flow : event[47]) slice.flows.emplace_back(flow.number_value, false);
    for (const Field& flow : event[48]) slice.flows.emplace_back(flow.number_value, true);
    if (!slice.instant) track.open.push_back(trace_.slices.size());
    trace_.slices.push_back(std::move(slice));
  }

  ReadTrace& trace_;
  std::map<std::uint64_t, Sequence> sequences_;
  std::map<std::uint64_t, Track> tracks_;
};

}  // namespace

ReadTrace ParseTrace(std::string_view bytes) {
  ReadTrace trace;
  Parser parser(trace);
  const char* end = bytes.data();
  Field field;
  Scanner scan(bytes);
  while (scan.Next(field)) {
    EXPECT_EQ(field.number, 1U);
    parser.Packet(field.bytes);
    end = field.bytes.data() + field.bytes.size();
  }
  trace.cut_bytes = static_cast<std::size_t>(bytes.data() + bytes.size() - end);
  parser.NameTracks();
  return trace;
}

std::size_t ReadTrace::Count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      slices.begin(), slices.end(), [&](const ReadSlice& slice) { return slice.name == name; }));
}

const ReadSlice& ReadTrace::Only(std::string_view name) const {
  static const ReadSlice kNone;
  EXPECT_EQ(Count(name), 1U) << name;
  for (const ReadSlice& slice : slices) {
    if (slice.name == name) return slice;
  }
  return kNone;
}

}  // namespace sightline::testing
