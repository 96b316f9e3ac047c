// Files that have the name of an event file but are not one, as people have them beside their runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/runs/run_follower.h"
#include "sightline/runs/run_group.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/runs/source/foreign_file.h"
#include "sightline/runs/source/run_directories.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Eq;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Optional;
using testing::TempDir;
using testing::TensorBoardScalar;
using testing::WriteFileOrDie;

std::vector<std::string> NamesIn(const RunGroup& group) {
  std::vector<std::string> names;
  for (const auto& run : group.runs()) names.push_back(run->name());
  return names;
}

TEST(ForeignFilesTest, OnlyDirectoriesWithEventFilesAreRuns) {
  const TempDir index;
  const RunGroupOptions options = {.index_folder = index.path()};
  for (int opening = 0; opening < 2; ++opening) {  // The second one takes the runs from the index.
    auto group = RunGroup::Open({CorpusPath("wild/file_names")}, options);
    ASSERT_THAT(group, IsOk());
    EXPECT_THAT(NamesIn(*group),
                ElementsAre("bignumber", "colab",
                            "directory/" + std::string("events.out.tfevents.1700000000.box"), "ip",
                            "nodate", "nohost", "plain", "prefix", "renamed", "uploaded"));
    for (const auto& run : group->runs()) EXPECT_FALSE(run->damaged()) << run->name();
    EXPECT_THAT(group->WriteIndex(), IsEmpty());
  }
}

TEST(ForeignFilesTest, ItsTypeIsNamed) {
  std::vector<std::string> notes;
  ASSERT_THAT(FindRunDirectories(FileSystem::Local(), CorpusPath("wild/file_names"), &notes),
              IsOk());
  EXPECT_THAT(notes,
              ElementsAre(EndsWith("box.csv: not an event file: text"),
                          EndsWith("box.gz: not an event file: gzip"),
                          EndsWith("box.html: not an event file: an HTML page"),
                          EndsWith("not an event file: a pointer of Git LFS (git lfs pull gets "
                                   "the file)"),
                          EndsWith("tfevents_plot.png: not an event file: PNG"),
                          EndsWith("tfevents_to_csv.py: not an event file: text")));
}

TEST(ForeignFilesTest, OneBesideARunIsNamedAndIsNoDamage) {
  const TempDir index;
  for (int opening = 0; opening < 2; ++opening) {
    auto group =
        RunGroup::Open({CorpusPath("wild/script_beside_run")}, {.index_folder = index.path()});
    ASSERT_THAT(group, IsOk());
    ASSERT_EQ(group->runs().size(), 1U);
    const auto& run = *group->runs()[0];
    EXPECT_FALSE(run.damaged());
    ASSERT_EQ(run.files().size(), 2U);
    std::vector<std::string> kinds;
    for (const RunFile& file : run.files()) kinds.push_back(file.KindName());
    EXPECT_THAT(kinds, ::testing::UnorderedElementsAre("TensorBoard", "not an event file: text"));
    group->WriteIndex();
  }
}

TEST(ForeignFilesTest, HiddenCopiesAndBackupsDoNotCount) {
  for (const char* const copy : {"wild/copy_appledouble", "wild/copy_backup"}) {
    const auto run = Run::Open(CorpusPath(copy));
    ASSERT_THAT(run, IsOk());
    EXPECT_EQ((*run)->files().size(), 1U) << copy;
    EXPECT_FALSE((*run)->damaged()) << copy;
  }
}

TEST(ForeignFilesTest, ARunAppearsWhenItsFileBecomesAnEventFile) {
  const TempDir dir;
  const std::string path = dir.File("events.out.tfevents.1.vm");
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
  WriteFileOrDie(path, pointer);
  auto group = RunGroup::Open({dir.path()});
  ASSERT_THAT(group, IsOk());
  EXPECT_THAT(group->runs(), IsEmpty());
  RunFollower follower(dir.path());
  EXPECT_THAT(follower.Refresh().error(), IsStatus(StatusCode::kNotFound, "no event files"));
  WriteFileOrDie(path, TensorBoardScalar("loss", 1, 0.5F));  // git lfs pull
  const auto appeared = group->Refresh();
  ASSERT_THAT(appeared, IsOk());
  ASSERT_EQ(appeared->size(), 1U);
  EXPECT_EQ(appeared->front().kind, RunChange::Kind::kAppeared);
  EXPECT_EQ(group->runs().size(), 1U);
  EXPECT_THAT(follower.Refresh(), IsOk());
  WriteFileOrDie(path, pointer);
  const auto gone = group->Refresh();
  ASSERT_THAT(gone, IsOk());
  ASSERT_EQ(gone->size(), 1U);
  EXPECT_EQ(gone->front().kind, RunChange::Kind::kGone);
  EXPECT_THAT(group->runs(), IsEmpty());
}

TEST(ForeignFilesTest, DamageIsNotTakenForAForeignFile) {
  const TempDir dir;
  const std::string name = "events.out.tfevents.1.vm";
  const std::string record = TensorBoardScalar("loss", 1, 0.5F);
  // Damage at the beginning, a torn record, what a power loss leaves, and a part of a length.
  for (const std::string& bytes : {"damaged bytes" + record, record.substr(0, 20),
                                   std::string(64, '\0'), record.substr(0, 5)}) {
    WriteFileOrDie(dir.File(name), bytes);
    const auto run = Run::Open(dir.path());
    ASSERT_THAT(run, IsOk());
    EXPECT_TRUE((*run)->damaged());
    EXPECT_THAT(*ListEventSources(dir.path()), ::testing::SizeIs(1));
  }
}

TEST(ForeignFilesTest, TheTypeIsThatOfTheFirstBytes) {
  EXPECT_THAT(ForeignType("PK\x03\x04 and more"), Optional(Eq("zip")));
  EXPECT_THAT(ForeignType("#!/bin/sh\necho tfevents\n"), Optional(Eq("a script")));
  EXPECT_THAT(ForeignType("\n <!DOCTYPE HTML><p>log in</p>"), Optional(Eq("an HTML page")));
  EXPECT_THAT(ForeignType("Zeit,Größe\n1,2\n"), Optional(Eq("text")));
  EXPECT_THAT(ForeignType(std::string("\x01\x02\x03", 3) + std::string(20, '\x04')),
              Optional(Eq("unknown data")));
  EXPECT_EQ(ForeignType(""), std::nullopt);
  EXPECT_EQ(ForeignType(testing::FrameRecord("an event")), std::nullopt);
}

}  // namespace
}  // namespace sightline
