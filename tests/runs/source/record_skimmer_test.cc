// Runs whose large records are listed without being read (record_skimmer.h), as a follower has
// them.
#include "sightline/runs/source/record_skimmer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sightline/runs/run_follower.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/counting_file_system.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;
using testing::kMindSporeName;
using testing::kTensorBoardName;
using testing::MindSporeScalar;
using testing::TensorBoardScalar;
using testing::Text;

constexpr std::size_t kBig = 200'000;

class RecordSkimmerTest : public ::testing::Test {
 protected:
  static std::string Picture(std::int64_t step, std::size_t size = kBig) {
    tensorboard::Event event;
    event.set_wall_time(testing::TimeOf(step));
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("picture");
    value->mutable_image()->set_encoded_image_string(std::string(size, 'p'));
    return testing::FrameRecord(event.SerializeAsString());
  }
  // As TensorFlow 2 writes it: the plugin follows the tensor.
  static std::string PluginTensor(std::int64_t step, const std::string& plugin, std::size_t size) {
    tensorboard::Event event;
    event.set_wall_time(testing::TimeOf(step));
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag(plugin + " of TF2");
    value->mutable_tensor()->set_dtype(tensorboard::DT_STRING);
    value->mutable_tensor()->add_string_val(std::string(size, 't'));
    value->mutable_metadata()->mutable_plugin_data()->set_plugin_name(plugin);
    return testing::FrameRecord(event.SerializeAsString());
  }
  // As MindSpore does it: all values of a step in one event.
  static std::string Together(std::int64_t step, std::size_t size, int buckets) {
    mindspore::Event event;
    event.set_wall_time(testing::TimeOf(step));
    event.set_step(step);
    auto* image = event.mutable_summary()->add_value();
    image->set_tag("image");
    image->mutable_image()->set_height(1);
    image->mutable_image()->set_width(1);
    image->mutable_image()->set_colorspace(3);
    image->mutable_image()->set_encoded_image(std::string(size, 'i'));
    auto* histogram = event.mutable_summary()->add_value();
    histogram->set_tag("histogram");
    for (int i = 0; i < buckets; ++i) {
      auto* bucket = histogram->mutable_histogram()->add_buckets();
      bucket->set_left(i);
      bucket->set_width(1);
      bucket->set_count(7);
    }
    auto* loss = event.mutable_summary()->add_value();
    loss->set_tag("loss");
    loss->set_scalar_value(0.25F * static_cast<float>(step));
    return testing::FrameRecord(event.SerializeAsString());
  }
  static std::string Graph(std::size_t size) {
    tensorboard::Event event;
    event.set_wall_time(1);
    event.set_graph_def(std::string(size, 'g'));
    return testing::FrameRecord(event.SerializeAsString());
  }

  std::shared_ptr<const sightline::Run> Skimmed() {
    RunFollower follower("run", {.file_system = &fs_, .leave_large_unchecked = true});
    auto run = follower.Refresh();
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  std::shared_ptr<const sightline::Run> Whole() {
    return *sightline::Run::Open("run", {.file_system = &fs_});
  }
  // All but how much is unchecked.
  static std::string Contents(const sightline::Run& run) {
    std::string text = Text(run);
    return text.substr(text.find("\n0 "));  // From the first series on.
  }
  static std::uint64_t Unchecked(const sightline::Run& run) {
    std::uint64_t unchecked = 0;
    for (const RunFile& file : run.files()) unchecked += file.unchecked;
    return unchecked;
  }

  testing::CountingFileSystem fs_;
  const std::string tensorboard_ = std::string("run/") + kTensorBoardName;
  const std::string mindspore_ = std::string("run/") + kMindSporeName;
};

TEST_F(RecordSkimmerTest, LargeRecordsAreListedWithoutBeingRead) {
  std::string bytes = TensorBoardScalar("loss", 0, 1);
  for (int step = 0; step < 100; ++step)
    bytes += Picture(step) + TensorBoardScalar("loss", step, 1);
  fs_.Put(tensorboard_, bytes);
  const std::string whole = Contents(*Whole());
  fs_.TakeBytesRead();
  const auto run = Skimmed();
  EXPECT_LT(fs_.TakeBytesRead(), bytes.size() / 10);
  EXPECT_EQ(Contents(*run), whole);
  EXPECT_EQ(Unchecked(*run), 99U) << "all but the first, which says that there are some";
  EXPECT_EQ(Unchecked(*Whole()), 0U);
  const auto picture = run->Read(run->Find(ContentKind::kImage, "picture")->point(70));
  ASSERT_THAT(picture, IsOk());
  EXPECT_EQ(picture->Image()->encoded.size(), kBig);
}

TEST_F(RecordSkimmerTest, ThePicturesOfATensorAreCounted) {
  tensorboard::Event event;
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("pictures");
  value->mutable_tensor()->set_dtype(tensorboard::DT_STRING);
  for (const std::size_t size : {std::size_t{1}, std::size_t{1}, kBig, std::size_t{9}, kBig})
    value->mutable_tensor()->add_string_val(std::string(size, '1'));
  value->mutable_metadata()->mutable_plugin_data()->set_plugin_name("images");
  std::string bytes = TensorBoardScalar("loss", 0, 1);
  for (int step = 0; step < 3; ++step) {
    event.set_step(step);
    event.set_wall_time(testing::TimeOf(step));
    bytes += testing::FrameRecord(event.SerializeAsString());
  }
  fs_.Put(tensorboard_, bytes);
  const auto run = Skimmed();
  EXPECT_EQ(Unchecked(*run), 2U);
  const Series* pictures = run->Find(ContentKind::kImage, "pictures");
  ASSERT_NE(pictures, nullptr);
  ASSERT_EQ(pictures->size(), 9U);
  EXPECT_EQ(run->Read(pictures->point(7))->Image()->encoded.size(), 9U);
  EXPECT_EQ(Contents(*run), Contents(*Whole()));
}

TEST_F(RecordSkimmerTest, ADamagedOneIsFoundWhenItIsReadOrEverythingIs) {
  std::string bytes = TensorBoardScalar("loss", 0, 1) + Picture(1) + Picture(2);
  bytes[bytes.size() - kBig / 2] ^= 1;
  fs_.Put(tensorboard_, bytes + Picture(3));
  const auto run = Skimmed();
  const Series& pictures = *run->Find(ContentKind::kImage, "picture");
  ASSERT_EQ(pictures.size(), 3U);
  EXPECT_FALSE(run->damaged());
  EXPECT_THAT(run->Read(pictures.point(1)).error(), IsStatus(StatusCode::kDataLoss, "tfevents"));
  EXPECT_THAT(run->Read(pictures.point(2)), IsOk());
  EXPECT_TRUE(Whole()->damaged());
  EXPECT_EQ(Whole()->Find(ContentKind::kImage, "picture")->size(), 2U);
}

TEST_F(RecordSkimmerTest, EveryKindIsWhatItIsWhenItIsReadWhole) {
  std::string bytes = TensorBoardScalar("loss", 0, 1) + Graph(kBig) + Graph(100'000);
  for (const char* plugin : {"images", "text", "audio", "histograms", "pr_curves", "scalars", ""}) {
    for (const std::size_t size : {std::size_t{10}, std::size_t{3000}, kBig, kBig})
      bytes += PluginTensor(4, plugin, size);
  }
  fs_.Put(tensorboard_, bytes);
  fs_.Put(mindspore_, MindSporeScalar("acc", 1, 1) + Together(1, kBig, 3) + Together(2, kBig, 300) +
                          Together(3, 10, 300) + Together(4, kBig, 0));
  EXPECT_EQ(Contents(*Skimmed()), Contents(*Whole()));
  EXPECT_GT(Unchecked(*Skimmed()), 10U);
}

TEST_F(RecordSkimmerTest, WhateverTheOrderItGivesWhatReadingWholeGives) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    std::string bytes = TensorBoardScalar("loss", 0, 1) + Picture(0);
    for (int i = 0; i < 30; ++i) {
      const auto step = static_cast<std::int64_t>(random() % 20);
      const std::size_t size = 60'000 + random() % 20'000;
      const std::uint64_t what = random() % 6;
      if (what == 0) bytes += TensorBoardScalar("loss", step, static_cast<float>(i));
      if (what == 1) bytes += Picture(step, size);
      if (what == 2) bytes += PluginTensor(step, "images", size);
      if (what == 3) bytes += testing::TensorBoardStart(step);
      if (what == 4) bytes += std::string(random() % 40, '\0');                // Never written.
      if (what == 5) bytes += Picture(step, size).substr(0, random() % size);  // Torn.
    }
    fs_.Put(tensorboard_, bytes);
    ASSERT_EQ(Contents(*Skimmed()), Contents(*Whole())) << seed;
  }
}

TEST_F(RecordSkimmerTest, WhatAnIndexHasUncheckedIsReadByWhoeverWantsItChecked) {
  const testing::TempDir index;
  std::string bytes = TensorBoardScalar("loss", 0, 1);
  for (int step = 0; step < 20; ++step) bytes += Picture(step);
  fs_.Put(tensorboard_, bytes);
  const auto open = [&](bool skim) {
    auto group = RunGroup::Open(
        {"run"},
        {.file_system = &fs_, .index_folder = index.path(), .leave_large_unchecked = skim});
    group->WriteIndex();
    fs_.TakeBytesRead();
    return *std::move(group);
  };
  EXPECT_EQ(Unchecked(*open(true).runs()[0]), 19U);
  EXPECT_EQ(Unchecked(*open(true).runs()[0]), 19U);
  EXPECT_EQ(Unchecked(*open(false).runs()[0]), 0U);
  EXPECT_EQ(Unchecked(*open(true).runs()[0]), 0U) << "and is checked from there on";
}

}  // namespace
}  // namespace sightline
