#include "sightline/runs/run_follower.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::MindSporeScalar;
using testing::TensorBoardScalar;

std::string Text(const std::vector<std::shared_ptr<const Series>>& all) {
  std::string text;
  for (const auto& series : all) {
    const SeriesKey& key = series->key();
    text += fmt::format("{} {} {} {}:", static_cast<int>(key.kind), key.plugin, key.tag, key.rank);
    for (std::size_t i = 0; i < series->size(); ++i) {
      text += fmt::format(" {}@{}=", series->steps()[i],
                          std::bit_cast<std::uint64_t>(series->wall_times()[i]));
      if (series->is_scalar()) {
        text += fmt::format("{}", std::bit_cast<std::uint64_t>(series->values()[i]));
      } else {
        const HeavyPoint point = series->point(i);
        text += fmt::format("{}+{}#{}", point.file, point.offset, point.value);
      }
    }
    if (series->is_scalar()) {
      const Extremes extremes = series->ExtremesOf(0, series->size());
      text += fmt::format(" {} to {} of {}", extremes.min, extremes.max, extremes.count);
    }
    text += "\n";
  }
  return text;
}

std::vector<std::shared_ptr<const Series>> All(
    std::span<const std::shared_ptr<const Series>> series) {
  return {series.begin(), series.end()};
}

// Everything that a run says of itself.
std::string Text(const sightline::Run& run) {
  std::string text = run.name() + " " + run.directory() + "\n";
  for (const RunFile& file : run.files()) {
    text += fmt::format("{} {} {} {} {} {} {} {}", file.path, static_cast<int>(file.kind),
                        file.bytes, file.records, file.journal_records, file.rank,
                        file.superseded_from.value_or(-1), file.status.ToString());
    for (const SkippedRegion& region : file.damage) {
      text +=
          fmt::format(" [{}+{} {}]", region.offset, region.length, SkipReasonName(region.reason));
    }
    if (file.session) text += " " + file.session->session_id;
    text += "\n";
  }
  text += Text(All(run.series())) + "superseded\n" + Text(All(run.superseded()));
  for (const auto& [kind, points] : run.events()) {
    text += fmt::format("event {}:", static_cast<int>(kind));
    for (const HeavyPoint& point : points)
      text += fmt::format(" {} {} {}+{}", point.step, point.wall_time, point.file, point.offset);
    text += "\n";
  }
  for (const auto& [kind, count] : run.event_counts())
    text += fmt::format("{} of {}\n", count, static_cast<int>(kind));
  for (const auto& [name, value] : run.lineage()) {
    const auto* held = std::get_if<std::string>(&value);
    text += fmt::format("{}={}\n", name, held == nullptr ? "number" : *held);
  }
  return text + fmt::format("{} {} {} {} {} {} {}\n", run.first_wall_time().value_or(-1),
                            run.last_wall_time().value_or(-1), run.signs().ours,
                            run.signs().journal, run.signs().last_change,
                            run.signs().usual_interval, run.sessions().size());
}

std::string Tensor(const std::string& tag, std::int64_t step) {
  mindspore::Event event;
  event.set_wall_time(testing::TimeOf(step));
  event.set_step(step);
  for (int i = 0; i < 2; ++i) {
    auto* value = event.mutable_summary()->add_value();
    value->set_tag(tag + std::to_string(i));
    value->mutable_tensor()->add_dims(1);
    value->mutable_tensor()->set_data_type(mindspore::DT_FLOAT32);
    value->mutable_tensor()->add_float_data(1.5F);
  }
  return testing::FrameRecord(event.SerializeAsString());
}

std::string Lineage(const std::string& network, std::int64_t step) {
  mindspore::LineageEvent event;
  event.set_wall_time(testing::TimeOf(step));
  event.mutable_train_lineage()->mutable_algorithm()->set_network(network);
  return testing::FrameRecord(event.SerializeAsString());
}

// Counts the bytes that are read.
class CountingFileSystem : public testing::MemoryFileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto file, MemoryFileSystem::OpenForRead(path));
    return std::make_unique<File>(std::move(file), bytes_);
  }
  std::uint64_t TakeBytesRead() { return bytes_.exchange(0); }

 private:
  class File : public ReadableFile {
   public:
    File(std::unique_ptr<ReadableFile> file, std::atomic<std::uint64_t>& bytes)
        : file_(std::move(file)), bytes_(bytes) {}
    Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
      auto read = file_->ReadAt(offset, buffer);
      if (read) bytes_ += *read;
      return read;
    }
    Result<std::uint64_t> Size() const override { return file_->Size(); }

   private:
    std::unique_ptr<ReadableFile> file_;
    std::atomic<std::uint64_t>& bytes_;
  };
  std::atomic<std::uint64_t> bytes_ = 0;
};

class RunFollowerTest : public ::testing::Test {
 protected:
  std::shared_ptr<const sightline::Run> Refresh() {
    auto run = follower_.Refresh();
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  void Append(const std::string& bytes) { fs_.Put(path_, fs_.Get(path_) + bytes); }

  const std::string path_ = std::string("run/") + testing::kMindSporeName;
  CountingFileSystem fs_;
  RunFollower follower_ = RunFollower(fs_, "run");
};

TEST_F(RunFollowerTest, ADirectoryWithoutEventFilesIsNoRunUntilThereIsOne) {
  EXPECT_FALSE(follower_.Refresh());
  fs_.Put("run/notes.txt", "");
  EXPECT_EQ(follower_.Refresh().error().code(), StatusCode::kNotFound);
  Append(MindSporeScalar("loss", 1, 1));
  EXPECT_EQ(Refresh()->series().size(), 1U);
}

TEST_F(RunFollowerTest, WhatDidNotChangeStaysTheSameObjectAndIsNotRead) {
  Append(MindSporeScalar("loss", 1, 1));
  const auto run = Refresh();
  fs_.TakeBytesRead();
  EXPECT_EQ(Refresh(), run);
  EXPECT_EQ(fs_.TakeBytesRead(), 0U);
}

TEST_F(RunFollowerTest, ReadsOnlyWhatWasAppended) {
  std::string bytes;
  for (int step = 0; step < 10'000; ++step) bytes += MindSporeScalar("loss", step, 1);
  Append(bytes);
  Refresh();
  Append(MindSporeScalar("loss", 10'000, 1));
  const auto first = Refresh();  // That it grows is known from here on.
  fs_.TakeBytesRead();
  const std::string more = MindSporeScalar("loss", 10'001, 1) + MindSporeScalar("loss", 10'002, 1);
  Append(more);
  const auto second = Refresh();
  EXPECT_LE(fs_.TakeBytesRead(), more.size() + 256);
  const auto steps = [](const auto& run) {
    return run->Find(ContentKind::kScalar, "loss")->steps();
  };
  EXPECT_EQ(steps(second).size(), 10'003U);
  EXPECT_EQ(steps(first).size(), 10'001U);
  EXPECT_EQ(steps(first).data(), steps(second).data());  // Kept once.
}

TEST_F(RunFollowerTest, OnlyTheFileThatGrewIsRead) {
  std::string bytes;
  for (int step = 0; step < 1000; ++step) bytes += MindSporeScalar("loss", step, 1);
  Append(bytes);
  const std::string rotated = "run/events.out.events.summary.2.0.vm_MS";
  fs_.Put(rotated, MindSporeScalar("loss", 1000, 1));
  Refresh();
  for (int step = 1001; step < 1004; ++step) {
    fs_.Put(rotated, fs_.Get(rotated) + MindSporeScalar("loss", step, 1));
    fs_.TakeBytesRead();
    EXPECT_EQ(Text(*Refresh()), Text(**sightline::Run::Open(fs_, "run")));
    fs_.TakeBytesRead();
  }
  fs_.Put(rotated, fs_.Get(rotated) + MindSporeScalar("loss", 1004, 1));
  Refresh();
  EXPECT_LE(fs_.TakeBytesRead(), 1024U);
}

TEST_F(RunFollowerTest, AnotherFileOfTheSameNameIsReadAnew) {
  const std::string first = MindSporeScalar("loss", 1, 1);
  Append(first);
  Refresh();
  Append(MindSporeScalar("loss", 2, 2));
  Refresh();
  // Written over, longer than before.
  fs_.Put(path_, MindSporeScalar("loss", 5, 5) + MindSporeScalar("loss", 6, 6) +
                     MindSporeScalar("loss", 7, 7));
  EXPECT_EQ(Refresh()->Find(ContentKind::kScalar, "loss")->steps().front(), 5);
  // Put in its place.
  fs_.Put("run/new", MindSporeScalar("acc", 5, 5) + MindSporeScalar("loss", 6, 6) +
                         MindSporeScalar("loss", 8, 7));
  ASSERT_THAT(fs_.Rename("run/new", path_), IsOk());
  EXPECT_NE(Refresh()->Find(ContentKind::kScalar, "acc"), nullptr);
}

// What any writer, and anybody else, may do to a run's files.
class Mischief {
 public:
  Mischief(testing::MemoryFileSystem& fs, std::uint64_t seed) : fs_(fs), random_(seed) {}

  void Act() {
    const std::string path = Path();
    const std::string bytes = fs_.Get(path);
    switch (random_() % 12) {
      case 0:  // Torn, or cut by a recovery.
        fs_.Put(path, bytes.substr(
                          0, bytes.size() - std::min<std::size_t>(bytes.size(), random_() % 90)));
        return;
      case 1:
        fs_.Put(path, Records(path));
        return;
      case 2:
        fs_.Put("run/temporary", Records(path));
        EXPECT_THAT(fs_.Rename("run/temporary", path), IsOk());
        return;
      case 3:
        (void)fs_.Remove(path).ok();
        return;
      case 4:  // A block that was never written.
        fs_.Put(path, bytes + std::string(random_() % 60, '\0'));
        return;
      case 5: {  // A record that is not complete yet, and may never be.
        const std::string record = Record(path);
        fs_.Put(path, bytes + record.substr(0, random_() % record.size()));
        return;
      }
      case 6:
        if (!half_.empty()) fs_.Put(half_path_, fs_.Get(half_path_) + std::exchange(half_, ""));
        return;
      case 7: {
        const std::string record = Record(path);
        const std::size_t cut = random_() % record.size();
        half_ = record.substr(cut);
        half_path_ = path;
        fs_.Put(path, bytes + record.substr(0, cut));
        return;
      }
      default:
        fs_.Put(path, bytes + Records(path));
    }
  }

 private:
  std::string Path() {
    constexpr const char* kNames[] = {"events.out.events.summary.1.0.vm_MS",
                                      "events.out.events.summary.2.0.vm_MS",
                                      "events.out.events.summary.1.3.vm_MS",
                                      "events.out.events.summary.1.0.vm_lineage",
                                      "events.out.tfevents.1.vm",
                                      "events.out.tfevents.3.vm"};
    return std::string("run/") + kNames[random_() % std::size(kNames)];
  }

  std::string Record(const std::string& path) {
    if (path.ends_with("_lineage")) return Lineage("net" + std::to_string(random_() % 3), ++step_);
    const std::string tag = "tag" + std::to_string(random_() % 3);
    // Steps go on as a rule.
    const auto step = random_() % 8 == 0 ? static_cast<std::int64_t>(random_() % 40) : ++step_;
    const auto value = static_cast<float>(random_() % 1000);
    if (path.ends_with("_MS"))
      return random_() % 5 == 0 ? Tensor(tag, step) : MindSporeScalar(tag, step, value);
    if (random_() % 12 == 0) return testing::TensorBoardStart(step - 3);
    return TensorBoardScalar(tag, step, value);
  }

  std::string Records(const std::string& path) {
    std::string bytes;
    for (std::uint64_t i = random_() % 4; i > 0; --i) bytes += Record(path);
    return bytes;
  }

  testing::MemoryFileSystem& fs_;
  std::mt19937_64 random_;
  std::int64_t step_ = 0;
  std::string half_;
  std::string half_path_;
};

TEST(RunFollowerPropertyTest, GivesWhatOpeningAnewGivesWhateverHappensToTheFiles) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    testing::MemoryFileSystem fs;
    ASSERT_THAT(fs.CreateDirectories("run"), IsOk());
    Mischief mischief(fs, seed);
    RunFollower follower(fs, "run");
    std::vector<std::pair<std::shared_ptr<const sightline::Run>, std::string>> earlier;
    for (int i = 0; i < 80; ++i) {
      mischief.Act();
      const auto run = follower.Refresh();
      const auto anew = sightline::Run::Open(fs, "run");
      ASSERT_EQ(run.has_value(), anew.has_value());
      if (!run) continue;
      ASSERT_EQ(Text(**run), Text(**anew)) << "seed " << seed << ", act " << i;
      earlier.emplace_back(*run, Text(**run));
    }
    // Nothing of what was given before was written over.
    for (const auto& [run, text] : earlier) ASSERT_EQ(Text(*run), text);
  }
}

// A recorder at work: values come from its journal first, and from its files later.
TEST(RunFollowerRecordedTest, FollowsALivingRecorderInBothDialects) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::mt19937_64 random(seed);
    const testing::TempDir dir;
    RecorderOptions options;
    options.formats = {Format::kMindSpore, Format::kTensorBoard};
    options.flush_interval = std::chrono::hours(1);
    options.max_file_size = 4096;
    auto recorder = Recorder::Open(dir.path(), options);
    ASSERT_THAT(recorder, IsOk());
    RunFollower follower(FileSystem::Local(), dir.path());
    const std::vector<std::int64_t> shape = {2};
    const std::vector<float> data = {1.5F, 2.5F};
    std::int64_t step = 0;
    for (int i = 0; i < 40; ++i) {
      for (std::uint64_t count = random() % 20; count > 0; --count) {
        (*recorder)->AddScalar(random() % 2 == 0 ? "loss" : "acc", ++step, 0.5);
        if (random() % 8 == 0) (*recorder)->AddTensor("weights", step, View(data.data(), shape));
      }
      if (random() % 3 == 0) {
        ASSERT_THAT((*recorder)->Flush(), IsOk());
      }
      if (i == 39) {
        ASSERT_THAT((*recorder)->Close(), IsOk());
      }
      const auto run = follower.Refresh();
      const auto anew = sightline::Run::Open(FileSystem::Local(), dir.path());
      ASSERT_EQ(run.has_value(), anew.has_value());
      if (!run) continue;
      ASSERT_EQ(Text(All((*run)->series())), Text(All((*anew)->series()))) << "seed " << seed;
      ASSERT_TRUE((*run)->superseded().empty());
      ASSERT_FALSE((*run)->damaged());
    }
  }
}

}  // namespace
}  // namespace sightline
