// Memory snapshots: those that tests/corpus/profiler/snapshot/make.py makes, real ones of torch_npu
// (from ../shared, since they may not be committed), and pickles that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<double> ValuesOf(const Profile& profile, const std::string& name) {
  for (const MemoryCurve& curve : FindMemoryCurves(profile))
    if (curve.name == name) return {curve.samples->value.begin(), curve.samples->value.end()};
  ADD_FAILURE() << "no counter " << name;
  return {};
}

// "forward /src/forward.py:7" for each frame, the innermost first.
std::vector<std::string> FramesOf(const Profile& profile, std::uint32_t stack) {
  std::vector<std::string> frames;
  for (const std::uint32_t index : profile.stacks[stack]) {
    const StackFrame& frame = profile.stacks.frames[index];
    const NamePool& names = profile.model.names;
    frames.push_back(std::string(names[frame.function]) + ' ' + std::string(names[frame.file]) +
                     ':' + std::to_string(frame.line));
  }
  return frames;
}

class MadeSnapshot : public ::testing::TestWithParam<const char*> {
 protected:
  Profile profile_ = testing::ImportCorpus(std::string("snapshot/") + GetParam());
};

INSTANTIATE_TEST_SUITE_P(Protocols, MadeSnapshot,
                         ::testing::Values("protocol2_snapshot.pickle",
                                           "protocol4_snapshot.pickle"));

TEST_P(MadeSnapshot, WhatWasAllocatedBeforeTheEventsFollowsFromTheirEnd) {
  EXPECT_THAT(ValuesOf(profile_, "Allocated memory, device 0"),
              ElementsAre(1300, 5300, 4300, 9300, 5300, 9300, 4300));
}

TEST_P(MadeSnapshot, ReservedMemoryEndsWithTheSegments) {
  EXPECT_THAT(ValuesOf(profile_, "Reserved memory, device 0"), ElementsAre(10240, 20480));
}

TEST_P(MadeSnapshot, ThePeakNamesWhoHoldsMemoryByItsStack) {
  const MemoryPeak peak = FindMemoryPeaks(profile_).at(0);
  EXPECT_EQ(peak.device, "device 0");
  EXPECT_EQ(peak.bytes, 9300);
  EXPECT_EQ(peak.time, 1'764'000'000'000'004'000);
  ASSERT_THAT(peak.holders, SizeIs(2));
  EXPECT_EQ(peak.holders[0].bytes, 5300) << "what load() held before, and what it asked for";
  EXPECT_EQ(peak.holders[0].allocations, 2);
  EXPECT_THAT(FramesOf(profile_, peak.holders[0].stack),
              ElementsAre("load /src/load.py:9", "train /src/train.py:2"));
  EXPECT_EQ(peak.holders[1].name, "forward");
}

TEST_P(MadeSnapshot, EventsOfOneMicrosecondKeepTheirOrder) {
  const MemoryCurve curve = FindMemoryCurves(profile_).at(0);
  EXPECT_EQ(curve.samples->time[4], 1'764'000'000'000'005'000);
  EXPECT_EQ(curve.samples->time[5], 1'764'000'000'000'005'001);
}

TEST_P(MadeSnapshot, RunningOutOfMemoryIsAMoment) {
  ASSERT_THAT(profile_.model.instants, SizeIs(1));
  EXPECT_EQ(profile_.model.names[profile_.model.instants[0].name], "out of memory");
}

TEST_P(MadeSnapshot, EveryEventAndSegmentIsCounted) {
  EXPECT_EQ(profile_.model.events_in, 14);
  EXPECT_EQ(profile_.model.events_modelled, 14);
}

class RealSnapshot : public ::testing::Test {
 protected:
  void SetUp() override { testing::NeedShared("corpus/ascend/memory_snapshots"); }

  static Profile Open(const std::string& name) {
    auto profile = ImportProfile(testing::SharedPath("corpus/ascend/memory_snapshots/") + name);
    EXPECT_THAT(profile, testing::IsOk());
    return profile ? *std::move(profile) : Profile();
  }
};

// The figures are those of a replay of Python's pickle.load.
TEST_F(RealSnapshot, ThatBeginsWithTheProgram) {
  const Profile profile = Open("snapshot_1768383987920985470.pkl");
  EXPECT_EQ(profile.format, SourceFormat::kMemorySnapshot);
  EXPECT_FALSE(profile.has_clock) << "torch_npu writes no times";
  EXPECT_THAT(profile.files.at(0).note, HasSubstr("no times"));
  EXPECT_EQ(profile.model.events_modelled, 9700 + 52);
  EXPECT_EQ(profile.model.not_understood.size(), 0);
  const MemoryPeak peak = FindMemoryPeaks(profile).at(0);
  EXPECT_EQ(peak.bytes, 471498368);
  EXPECT_EQ(peak.time, 2600);
  EXPECT_THAT(FramesOf(profile, peak.holders.at(0).stack), SizeIs(8));
  EXPECT_EQ(ValuesOf(profile, "Allocated memory, device 0").back(), 0);
  EXPECT_EQ(ValuesOf(profile, "Reserved memory, device 0").back(), 551550976);
}

TEST_F(RealSnapshot, ThatBeginsInTheMiddle) {
  const Profile profile = Open("snapshot_expandable.pkl");
  EXPECT_EQ(ValuesOf(profile, "Allocated memory, device 0").front(), 94326992);
  EXPECT_EQ(ValuesOf(profile, "Allocated memory, device 0").back(), 408384288);
  EXPECT_EQ(ValuesOf(profile, "Reserved memory, device 0").back(), 643825664);
  const MemoryPeak peak = FindMemoryPeaks(profile).at(0);
  EXPECT_EQ(peak.bytes, 597327488);
  EXPECT_EQ(peak.holders.at(0).allocations, 3);
  EXPECT_EQ(FramesOf(profile, peak.holders.at(0).stack).at(0),
            "train_one_step /home/user00001/dev/projects/test/memory_leaks_demo.py:12");
}

TEST_F(RealSnapshot, ReservedMemoryThatTheAllocatorKeepsIsNoLeak) {
  for (const Finding& finding : Summarize(Open("snapshot_expandable.pkl")))
    EXPECT_THAT(finding.subject, ::testing::Not(HasSubstr("Reserved")));
}

std::string ErrorOf(const std::string& pickle) {
  const auto profile = testing::Import("snapshot.pickle", pickle);
  return profile ? "" : profile.error().ToString();
}

TEST(Pickle, WhatWouldRunCodeIsRefusedByItsName) {
  const std::map<std::string, std::string> opcodes = {{"cos\nsystem\n", "GLOBAL"},
                                                      {"R", "REDUCE"},
                                                      {"b", "BUILD"},
                                                      {"\x93", "STACK_GLOBAL"},
                                                      {"\x81", "NEWOBJ"},
                                                      {"ios\nsystem\n", "INST"},
                                                      {"o", "OBJ"},
                                                      {"\x92", "NEWOBJ_EX"},
                                                      {"\x82\x01", "EXT1"},
                                                      {"P1\n", "PERSID"},
                                                      {"Q", "BINPERSID"}};
  for (const auto& [bytes, name] : opcodes) {
    EXPECT_THAT(ErrorOf("\x80\x04" + bytes + "."),
                HasSubstr("the opcode " + name + " at byte 2 is refused"));
  }
  EXPECT_THAT(ErrorOf("\x80\x04\xff."), HasSubstr("the byte 255, which is no opcode, at byte 2"));
}

TEST(Pickle, OtherDataIsNoSnapshot) {
  EXPECT_THAT(ErrorOf("\x80\x04]\x94."), HasSubstr("not a memory snapshot"));
  EXPECT_THAT(ErrorOf("\x80\x04}\x94(\x8c\x01"
                      "a\x94K\x01u."),
              HasSubstr("not a memory snapshot"));
  EXPECT_THAT(ErrorOf("(lp0\n."), HasSubstr("not a pickle of protocol 2 or later"));
}

TEST(Pickle, EveryPrefixOfASnapshotEndsEarly) {
  const std::string whole =
      testing::ReadFileOrDie(testing::CorpusPath("profiler/snapshot/protocol4_snapshot.pickle"));
  for (std::size_t size = 2; size < whole.size(); ++size)
    ASSERT_THAT(ErrorOf(whole.substr(0, size)), HasSubstr("without STOP")) << size;
}

TEST(Pickle, DamageNamesItsPlace) {
  EXPECT_THAT(ErrorOf("\x80\x04h\x05."), HasSubstr("an object is used before it is remembered"));
  EXPECT_THAT(ErrorOf("\x80\x04K\x01\x94."), HasSubstr("that is not new is remembered"));
  EXPECT_THAT(ErrorOf("\x80\x04]q\x01."), HasSubstr("not numbered in their order"));
  EXPECT_THAT(ErrorOf("\x80\x04K\x01"
                      "e."),
              HasSubstr("near byte 5: items without a mark"));
  EXPECT_THAT(ErrorOf("\x80\x04}(K\x01u."), HasSubstr("a key without a value"));
  EXPECT_THAT(ErrorOf("\x80\x04K\x01K\x02"
                      "a."),
              HasSubstr("items without a container"));
  EXPECT_THAT(ErrorOf("\x80\x04\x8a\x09"
                      "123456789."),
              HasSubstr("more than 64 bits"));
  EXPECT_THAT(ErrorOf("\x80\x04" + std::string(2000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(ErrorOf("\x80\x04" + std::string((1 << 20) + 1, 'N')), HasSubstr("a million values"));
}

TEST(Pickle, AListThatHoldsItselfIsRead) {
  EXPECT_THAT(ErrorOf("\x80\x04]\x94h" + std::string(1, '\0') + "a."),
              HasSubstr("not a memory snapshot"));
}

TEST(SnapshotSearch, FindsPicklesThatAreCalledSnapshotsOnly) {
  testing::MemoryFileSystem files;
  const std::string whole =
      testing::ReadFileOrDie(testing::CorpusPath("profiler/snapshot/protocol4_snapshot.pickle"));
  files.Put("data/train.pkl", "not of a profile");
  files.Put("data/rank_0_memory_snapshot.pickle", whole);
  EXPECT_THAT(ImportProfile("data", {.file_system = &files}), testing::IsOk());
}

}  // namespace
}  // namespace sightline::profiler
