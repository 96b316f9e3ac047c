#include "sightline/recorder/reading/first_metadata.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/proto/tensorboard.pb.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

constexpr auto kTensorBoard = EventFileKind::kTensorBoard;

std::string Number(const std::string& tag, const char* plugin) {
  tensorboard::Event event;
  auto& value = *event.mutable_summary()->add_value();
  value.set_tag(tag);
  value.mutable_tensor()->set_dtype(tensorboard::DT_FLOAT);
  value.mutable_tensor()->add_float_val(0.5F);
  if (plugin != nullptr) value.mutable_metadata()->mutable_plugin_data()->set_plugin_name(plugin);
  return event.SerializeAsString();
}

TEST(FirstMetadataTest, HoldForLaterValuesOfTheTag) {
  FirstMetadata metadata;
  const auto kind_of = [&](const std::string& payload) {
    EventView event;
    EXPECT_TRUE(ParseEvent(kTensorBoard, payload, event));
    metadata.Apply(kTensorBoard, event);
    return event.values.at(0).kind;
  };
  EXPECT_EQ(kind_of(Number("loss", nullptr)), ContentKind::kTensor);
  EXPECT_EQ(kind_of(Number("loss", "scalars")), ContentKind::kScalar);
  EXPECT_EQ(kind_of(Number("loss", nullptr)), ContentKind::kScalar);
  EXPECT_EQ(kind_of(Number("loss", "pr_curves")), ContentKind::kPlugin) << "it has its own";
  EXPECT_EQ(kind_of(Number("loss", nullptr)), ContentKind::kScalar) << "the first count";
  EXPECT_EQ(kind_of(Number("other", nullptr)), ContentKind::kTensor);
}

TEST(FirstMetadataTest, AReaderOfTheNextFileTakesThemOver) {
  testing::MemoryFileSystem fs;
  fs.Put("events.out.tfevents.1.vm", testing::FrameRecord(Number("loss", "scalars")));
  fs.Put("events.out.tfevents.2.vm", testing::FrameRecord(Number("loss", nullptr)));
  const auto first = EventReader::Open(fs, "events.out.tfevents.1.vm");
  const auto second = EventReader::Open(fs, "events.out.tfevents.2.vm");
  ASSERT_EQ((*first)->Next(), ReadOutcome::kRecord);
  (*second)->Inherit((*first)->metadata());
  ASSERT_EQ((*second)->Next(), ReadOutcome::kRecord);
  EXPECT_EQ((*second)->event().values.at(0).kind, ContentKind::kScalar);
  EXPECT_EQ((*second)->event().values.at(0).scalar, 0.5);
}

}  // namespace
}  // namespace sightline
