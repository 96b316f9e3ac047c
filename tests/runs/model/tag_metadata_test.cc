// Values whose metadata are in the first value of their tag, as TensorFlow 1's writers leave them
// out, in one file and in several, read at once, from the index, and as the files grow.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sightline/runs/run_follower.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::ElementsAre;
using testing::FrameRecord;
using testing::IsOk;
using testing::TempDir;
using testing::Text;
using testing::TimeOf;

// A record with one value; `plugin` is null for a value without metadata.
template <typename Fill>
std::string Record(const std::string& tag, std::int64_t step, const char* plugin, Fill fill) {
  tensorboard::Event event;
  event.set_wall_time(TimeOf(step));
  event.set_step(step);
  auto& value = *event.mutable_summary()->add_value();
  value.set_tag(tag);
  if (plugin != nullptr) value.mutable_metadata()->mutable_plugin_data()->set_plugin_name(plugin);
  fill(value);
  return FrameRecord(event.SerializeAsString());
}

std::string Number(const std::string& tag, std::int64_t step, float number, const char* plugin) {
  return Record(tag, step, plugin, [&](tensorboard::Summary::Value& value) {
    value.mutable_tensor()->set_dtype(tensorboard::DT_FLOAT);
    value.mutable_tensor()->add_float_val(number);
  });
}

std::string Words(const std::string& tag, std::int64_t step, const std::string& text,
                  const char* plugin) {
  return Record(tag, step, plugin, [&](tensorboard::Summary::Value& value) {
    value.mutable_tensor()->set_dtype(tensorboard::DT_STRING);
    value.mutable_tensor()->add_string_val(text);
  });
}

std::string OnlyMetadata(const std::string& tag, std::int64_t step, const char* plugin) {
  return Record(tag, step, plugin, [](tensorboard::Summary::Value&) {});
}

// "kind plugin tag: values" of each series.
std::vector<std::string> Lines(const Run& run) {
  std::vector<std::string> lines;
  for (const auto& series : run.series()) {
    std::string line = std::string(ContentKindName(series->key().kind)) + " " +
                       series->key().plugin + (series->key().plugin.empty() ? "" : " ") +
                       series->key().tag + ":";
    for (std::size_t i = 0; i < series->size(); ++i) {
      if (series->is_scalar()) {
        line += " " + fmt::to_string(series->values()[i]);
        continue;
      }
      const auto stored = run.Read(series->point(i));
      EXPECT_THAT(stored, IsOk());
      EXPECT_EQ(stored->value().kind, series->key().kind);
      const auto texts = stored->Texts();
      line += texts ? " " + std::string(texts->at(0)) : " #";
    }
    lines.push_back(line);
  }
  return lines;
}

class TagMetadataTest : public ::testing::Test {
 protected:
  std::shared_ptr<const sightline::Run> Open() {
    auto run = sightline::Run::Open("root/a", {.file_system = &fs_});
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  std::string TextOfGroup() {
    auto group = RunGroup::Open({"root"}, {.file_system = &fs_, .index_folder = index_.path()});
    EXPECT_THAT(group, IsOk());
    std::string text;
    for (const auto& run : group->runs()) {
      text += Text(*run);
      for (const std::string& line : Lines(*run)) text += line + "\n";
    }
    EXPECT_THAT(group->WriteIndex(), ::testing::IsEmpty());
    return text;
  }
  void Append(const std::string& path, const std::string& bytes) {
    fs_.Put(path, fs_.Get(path) + bytes);
  }

  testing::MemoryFileSystem fs_;
  TempDir index_;
  const std::string first_ = "root/a/events.out.tfevents.1.vm";
  const std::string second_ = "root/a/events.out.tfevents.2.vm";
};

TEST_F(TagMetadataTest, TheFirstMetadataOfATagHoldForItsLaterValues) {
  fs_.Put(first_, Number("loss", 1, 10, "scalars") + Number("loss", 2, 20, nullptr) +
                      Words("text", 1, "a", "text") + Words("text", 2, "b", nullptr) +
                      Number("curve", 1, 1, "pr_curves") + Number("curve", 2, 2, nullptr) +
                      OnlyMetadata("session", 1, "hparams") + OnlyMetadata("session", 2, nullptr));
  EXPECT_THAT(Lines(*Open()),
              ElementsAre("scalar loss: 10 20", "text text: a b", "plugin hparams session: # #",
                          "plugin pr_curves curve: # #"));
}

TEST_F(TagMetadataTest, MetadataDoNotHoldForEarlierValues) {
  fs_.Put(first_, Number("loss", 1, 10, nullptr) + Number("loss", 2, 20, "scalars") +
                      Number("loss", 3, 30, nullptr));
  EXPECT_THAT(Lines(*Open()), ElementsAre("scalar loss: 20 30", "tensor loss: #"));
}

TEST_F(TagMetadataTest, AValueWithMetadataOfItsOwnHasThatKind) {
  fs_.Put(first_,
          Number("x", 1, 10, "scalars") + Words("x", 2, "b", "text") + Number("x", 3, 30, nullptr));
  EXPECT_THAT(Lines(*Open()), ElementsAre("scalar x: 10 30", "text x: b"));
}

TEST_F(TagMetadataTest, MetadataHoldInLaterFilesOfTheRun) {
  fs_.Put(first_, Number("loss", 1, 10, "scalars") + Words("text", 1, "a", "text"));
  fs_.Put(second_, Number("loss", 2, 20, nullptr) + Words("text", 2, "b", nullptr) +
                       Number("other", 2, 20, nullptr));
  EXPECT_THAT(Lines(*Open()),
              ElementsAre("scalar loss: 10 20", "tensor other: #", "text text: a b"));
}

TEST_F(TagMetadataTest, TheIndexReturnsWhatTheFilesDo) {
  fs_.Put(first_, Number("loss", 1, 10, "scalars") + Words("text", 1, "a", "text"));
  fs_.Put(second_, Number("loss", 2, 20, nullptr) + Words("text", 2, "b", nullptr));
  EXPECT_EQ(TextOfGroup(), TextOfGroup());
  Append(second_, Number("loss", 3, 30, nullptr) + Words("text", 3, "c", nullptr));
  const std::string warm = TextOfGroup();
  EXPECT_THAT(warm, ::testing::HasSubstr("scalar loss: 10 20 30\ntext text: a b c\n"));
}

TEST_F(TagMetadataTest, AFollowerReadsWhatAnOpeningReads) {
  RunFollower follower("root/a", {.file_system = &fs_});
  const std::vector<std::pair<std::string, std::string>> appended = {
      {first_, Words("text", 1, "a", "text")},
      {first_, Words("text", 2, "b", nullptr)},
      {second_, Words("text", 3, "c", nullptr)},
      {second_, Number("loss", 1, 10, nullptr)},  // A tensor ...
      {second_, Number("loss", 2, 20, "other")},
      {first_, Number("loss", 0, 0, "scalars")},  // ... until an earlier file says what it is.
      {second_, Number("loss", 3, 30, nullptr)},
      {second_, Words("text", 4, "d", nullptr)},
  };
  for (const auto& [path, bytes] : appended) {
    // Also half of it: the reader then continues in the middle.
    Append(path, bytes.substr(0, bytes.size() / 2));
    EXPECT_THAT(follower.Refresh(), IsOk());
    Append(path, bytes.substr(bytes.size() / 2));
    const auto run = follower.Refresh();
    ASSERT_THAT(run, IsOk());
    EXPECT_EQ(Lines(**run), Lines(*Open()));
    EXPECT_EQ(Text(**run), Text(*Open()));
  }
  EXPECT_THAT(Lines(*Open()),
              ElementsAre("scalar loss: 0 10 30", "text text: a b c d", "plugin other loss: #"));
}

TEST_F(TagMetadataTest, EveryPluginOfTensorFlow1sWriterHasOneSeries) {
  const auto run = sightline::Run::Open(CorpusPath("wild/metadata_once"));
  ASSERT_THAT(run, IsOk());
  std::vector<std::string> lines;
  for (const auto& series : (*run)->series()) {
    lines.push_back(std::string(ContentKindName(series->key().kind)) + " " + series->key().tag +
                    " " + std::to_string(series->size()));
  }
  EXPECT_THAT(lines,
              ElementsAre("scalar loss/scalar_summary 4", "histogram weights/histogram_summary 4",
                          "image input/image_summary 4", "audio sound/audio_summary 4",
                          "text text 4", "plugin pr/pr_curves 4"));
  const Series& loss = *(*run)->series()[0];
  EXPECT_EQ(loss.last_value(), 0.25);
  const auto picture = (*run)->Read((*run)->series()[2]->point(3));
  ASSERT_THAT(picture, IsOk());
  EXPECT_THAT(picture->Image(), IsOk());
}

}  // namespace
}  // namespace sightline
