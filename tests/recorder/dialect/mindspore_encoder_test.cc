#include "sightline/recorder/dialect/mindspore_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::BytesOf;
using testing::CorpusPath;
using testing::ElementsOf;
using testing::EventBuilder;
using testing::ReadFileOrDie;
using testing::RecordsIn;
using testing::SameDouble;

constexpr double kNow = 1795191184.4190059;

std::string SummaryOf(const PreparedEvent& event) {
  Payload payload;
  EXPECT_TRUE(mindspore::EncodeSummaryEvent(event, payload));
  return BytesOf(payload);
}

mindspore::Event Decode(const std::string& bytes) {
  mindspore::Event event;
  EXPECT_TRUE(event.ParseFromString(bytes));
  return event;
}

std::string ScalarRecord(double wall_time, std::int64_t step, std::string_view tag, double value) {
  // Room as promised, and not a byte more, for the address sanitizer to watch.
  std::vector<char> room(mindspore::MaxScalarRecordSize(tag.size()));
  const char* end = mindspore::PutScalarRecord(room.data(), wall_time, step, tag, value);
  return {room.data(), static_cast<std::size_t>(end - room.data())};
}

std::string ScalarMessage(std::int64_t step, std::string_view tag, double value) {
  const auto records = RecordsIn(ScalarRecord(kNow, step, tag, value));
  return records.size() == 1 ? records[0] : std::string();
}

// An event of a real file, taken apart; what float_data has lost is gone, but the event written
// from it must be the same.
EventBuilder Rebuild(const mindspore::Summary& summary) {
  EventBuilder event;
  for (const auto& value : summary.value()) {
    switch (value.value_case()) {
      case mindspore::Summary::Value::kScalarValue:
        event.Scalar(value.tag(), value.scalar_value());
        break;
      case mindspore::Summary::Value::kImage:
        event.Image(value.tag(), {value.image().width(), value.image().height(),
                                  value.image().colorspace(), value.image().encoded_image()});
        break;
      case mindspore::Summary::Value::kTensor: {
        const auto& tensor = value.tensor();
        const DType dtype = DTypeOfMindSpore(tensor.data_type()).value();
        event.Tensor(value.tag(), dtype, {tensor.dims().begin(), tensor.dims().end()},
                     ElementsOf(dtype, {tensor.float_data().begin(), tensor.float_data().end()}));
        break;
      }
      case mindspore::Summary::Value::kHistogram: {
        const auto& h = value.histogram();
        HistogramData data;
        for (const auto& b : h.buckets())
          data.buckets.push_back({b.left(), b.width(), static_cast<double>(b.count())});
        data.nan_count = h.nan_count();
        data.pos_inf_count = h.pos_inf_count();
        data.neg_inf_count = h.neg_inf_count();
        data.max = h.max();
        data.min = h.min();
        data.sum = h.sum();
        data.count = static_cast<double>(h.count());
        data.has_finite = h.has_max();
        event.Histogram(value.tag(), std::move(data));
        break;
      }
      case mindspore::Summary::Value::kLossLandscape:
        event.Message(ValueKind::kLandscape, value.tag(),
                      value.loss_landscape().SerializeAsString());
        break;
      case mindspore::Summary::Value::VALUE_NOT_SET:
        ADD_FAILURE() << value.tag();
    }
  }
  return event;
}

std::vector<std::string> RealRecords() {
  return RecordsIn(
      ReadFileOrDie(CorpusPath("mindspore/values/events.out.events.summary.1795191184.0.vm_MS")));
}

// --- Scalars ---

TEST(MindSporeScalarTest, IsTheSecondRecordOfARealFileByteForByte) {
  const std::string file =
      ReadFileOrDie(CorpusPath("mindspore/values/events.out.events.summary.1795191184.0.vm_MS"));
  constexpr std::size_t kVersionRecord = 28 + 16;
  constexpr std::size_t kScalarRecord = 32 + 16;
  EXPECT_EQ(ScalarRecord(kNow, 1, "scalar/f32", 1.6243454217910767),
            file.substr(kVersionRecord, kScalarRecord));
}

// Worked out by hand from the format; the checksums by the bit-by-bit definition of CRC32C.
TEST(MindSporeScalarTest, HasTheseBytes) {
  const std::string_view expected(
      "\x18\0\0\0\0\0\0\0"
      "\xa3\x7f\x4b\x22"  // 24 bytes follow
      "\x09\0\0\0\0\0\0\xf8\x3f"
      "\x10\x03"  // wall time 1.5, step 3
      "\x2a\x0b"
      "\x0a\x09"
      "\x0a\x02"
      "ab"
      "\x1d\0\0\0\x40"  // "ab": 2.0
      "\x9f\xa0\xd9\x68",
      40);
  EXPECT_EQ(ScalarRecord(1.5, 3, "ab", 2.0), expected);
}

TEST(MindSporeScalarTest, WritesAnyStepAndWritesZero) {
  for (const std::int64_t step :
       {std::int64_t{0}, std::int64_t{127}, std::int64_t{128}, std::int64_t{-1},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    const mindspore::Event event = Decode(ScalarMessage(step, "t", 1));
    EXPECT_TRUE(event.has_step());
    EXPECT_EQ(event.step(), step);
    EXPECT_EQ(event.wall_time(), kNow);
  }
}

TEST(MindSporeScalarTest, RoundsToFloat32) {
  const auto written = [](double value) {
    return static_cast<double>(
        Decode(ScalarMessage(1, "t", value)).summary().value(0).scalar_value());
  };
  EXPECT_EQ(written(0.1), static_cast<double>(0.1F));
  EXPECT_EQ(written(1e300), INFINITY);
  EXPECT_EQ(written(-1e300), -INFINITY);
  EXPECT_EQ(written(1e-300), 0.0);
  EXPECT_TRUE(std::signbit(written(-0.0)));
  EXPECT_TRUE(std::isnan(written(std::nan(""))));
}

// Across the sizes at which a length takes another byte, and the table of length checksums ends.
TEST(MindSporeScalarTest, TakesTagsOfEveryLength) {
  for (std::size_t size = 0; size <= kMaxTagBytes; size += size < 600 ? 1 : 499) {
    const std::string tag(size, 't');
    const mindspore::Event event = Decode(ScalarMessage(7, tag, 1));
    ASSERT_EQ(event.summary().value_size(), 1);
    ASSERT_EQ(event.summary().value(0).tag(), tag);
    ASSERT_EQ(event.SerializeAsString(), ScalarMessage(7, tag, 1));
  }
}

TEST(MindSporeScalarTest, EqualsTheGeneralEncodersEvent) {
  for (const std::int64_t step : {0, 1, 300}) {
    EventBuilder values;
    values.Scalar("loss/标签", 0.25);
    EXPECT_EQ(ScalarMessage(step, "loss/标签", 0.25), SummaryOf(values.Event(kNow, step)));
  }
}

// --- Real events ---

TEST(MindSporeEncoderTest, WritesEveryEventOfARealFileAsMindSporeDid) {
  int summaries = 0;
  for (const std::string& record : RealRecords()) {
    const mindspore::Event real = Decode(record);
    if (!real.has_summary()) continue;
    ++summaries;
    const EventBuilder values = Rebuild(real.summary());
    const std::string ours = SummaryOf(values.Event(real.wall_time(), real.step()));
    mindspore::Event without_raw = Decode(ours);
    auto* value = without_raw.mutable_summary()->mutable_value(0);
    if (value->has_tensor() && value->tensor().has_raw_data()) {
      // The one thing that we add; NaN-free, so that bytes can be compared.
      const TensorView& view = values.values()[0].tensor;
      EXPECT_FALSE(Float32IsExact(view.dtype));
      EXPECT_EQ(value->tensor().raw_data(),
                std::string(static_cast<const char*>(view.data), view.ByteSize()));
      value->mutable_tensor()->clear_raw_data();
      EXPECT_EQ(without_raw.SerializeAsString(), record) << value->tag();
    } else {
      EXPECT_EQ(ours, record) << value->tag();
    }
  }
  EXPECT_EQ(summaries, 49);
}

TEST(MindSporeEncoderTest, WritesALandscapeEventAsMindSporeDid) {
  const auto records = RecordsIn(ReadFileOrDie(
      CorpusPath("mindspore/lenet_landscape/events.out.events.summary.1795189361.0.vm_MS")));
  ASSERT_EQ(records.size(), 3U);
  for (std::size_t i = 1; i < records.size(); ++i) {
    const mindspore::Event real = Decode(records[i]);
    EXPECT_EQ(SummaryOf(Rebuild(real.summary()).Event(real.wall_time(), real.step())), records[i]);
  }
}

TEST(MindSporeEncoderTest, WritesAGraphEventAsMindSporeDid) {
  const std::string record = RecordsIn(
      ReadFileOrDie(CorpusPath("mindspore/lenet/events.out.events.summary.1795189336.0.vm_MS")))[1];
  const mindspore::Event real = Decode(record);
  ASSERT_TRUE(real.has_graph_def());
  const std::string graph = real.graph_def().SerializeAsString();
  Payload payload;
  mindspore::EncodeGraphEvent(real.wall_time(), 0, graph, payload);
  EXPECT_EQ(BytesOf(payload), record);
}

TEST(MindSporeEncoderTest, WritesEveryLineageEventAsMindSporeDid) {
  for (const char* name : {"mindspore/lenet/events.out.events.summary.1795189336.0.vm_lineage",
                           "mindspore/lenet/events.out.events.summary.1795189340.0.vm_lineage"}) {
    for (const std::string& record : RecordsIn(ReadFileOrDie(CorpusPath(name)))) {
      // Behind the wall time comes one field: its key, its length, the message.
      wire::Field field;
      wire::Scanner scan(record);
      ASSERT_TRUE(scan.Next(field));
      const double wall_time = field.AsDouble();
      ASSERT_TRUE(scan.Next(field));
      PreparedValue value;
      value.message = field.bytes;
      value.kind = field.number == 6   ? ValueKind::kTrainLineage
                   : field.number == 7 ? ValueKind::kEvaluationLineage
                   : field.number == 9 ? ValueKind::kDatasetGraph
                                       : ValueKind::kCustomLineage;
      Payload payload;
      mindspore::EncodeLineageEvent(wall_time, 0, value, payload);
      EXPECT_EQ(BytesOf(payload), record);
    }
  }
}

TEST(MindSporeEncoderTest, KeepsTheStepOfAGraphAndOfLineage) {
  Payload graph;
  mindspore::EncodeGraphEvent(kNow, 7, "", graph);
  EXPECT_EQ(Decode(BytesOf(graph)).step(), 7);
  Payload lineage;
  PreparedValue value;
  value.kind = ValueKind::kTrainLineage;
  mindspore::EncodeLineageEvent(kNow, 7, value, lineage);
  mindspore::LineageEvent event;
  ASSERT_TRUE(event.ParseFromString(BytesOf(lineage)));
  EXPECT_EQ(event.step(), 7);
  EXPECT_TRUE(event.has_train_lineage());
}

TEST(MindSporeEncoderTest, BeginsAFileAsMindSporeDoesWithTheSessionBehind) {
  const std::string real = RealRecords()[0];
  SessionInfo session;
  session.set_session_id("0123");
  Payload payload;
  mindspore::EncodeVersionEvent(Decode(real).wall_time(), session.SerializeAsString(), payload);
  const std::string ours = BytesOf(payload);
  EXPECT_EQ(ours.substr(0, real.size()), real);
  EXPECT_EQ(Decode(ours).session().session_id(), "0123");
}

// --- What is in an event ---

TEST(MindSporeEncoderTest, LeavesOutWhatDoesNotShareASummary) {
  EventBuilder values;
  values.Message(ValueKind::kGraph, "", "graph");
  values.Message(ValueKind::kTrainLineage, "", "lineage");
  Payload payload;
  EXPECT_FALSE(mindspore::EncodeSummaryEvent(values.Event(kNow, 1), payload));
  EXPECT_EQ(payload.size(), 0U);
  values.Scalar("loss", 1);
  const mindspore::Event event = Decode(SummaryOf(values.Event(kNow, 1)));
  ASSERT_EQ(event.summary().value_size(), 1);
  EXPECT_EQ(event.summary().value(0).tag(), "loss");
}

TEST(MindSporeEncoderTest, WritesATensorOfOneElementWithoutDimensions) {
  EventBuilder values;
  values.Tensor("t", DType::kFloat32, {}, ElementsOf(DType::kFloat32, {2.5F}));
  const auto tensor = Decode(SummaryOf(values.Event(kNow, 1))).summary().value(0).tensor();
  EXPECT_EQ(tensor.dims_size(), 0);
  ASSERT_EQ(tensor.float_data_size(), 1);
  EXPECT_EQ(tensor.float_data(0), 2.5F);
}

TEST(MindSporeEncoderTest, WritesAnEmptyTensorWithItsShape) {
  EventBuilder values;
  values.Tensor("t", DType::kInt64, {3, 0}, "");
  const auto tensor = Decode(SummaryOf(values.Event(kNow, 1))).summary().value(0).tensor();
  EXPECT_EQ(tensor.dims_size(), 2);
  EXPECT_EQ(tensor.data_type(), mindspore::DT_INT64);
  EXPECT_FALSE(tensor.has_raw_data());
}

// --- Any values ---

void ExpectSameTensor(const mindspore::TensorProto& tensor, const TensorView& view) {
  const std::string_view bytes(static_cast<const char*>(view.data), view.ByteSize());
  EXPECT_EQ(std::vector<std::int64_t>(tensor.dims().begin(), tensor.dims().end()),
            std::vector<std::int64_t>(view.shape.begin(), view.shape.end()));
  EXPECT_EQ(DTypeOfMindSpore(tensor.data_type()), view.dtype);
  std::vector<float> floats(view.ElementCount());
  ConvertToFloat32(view.dtype, view.data, floats.size(), floats.data());
  ASSERT_EQ(static_cast<std::size_t>(tensor.float_data_size()), floats.size());
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(tensor.float_data().data()),
                             floats.size() * 4),
            std::string_view(reinterpret_cast<const char*>(floats.data()), floats.size() * 4));
  EXPECT_EQ(tensor.raw_data(), Float32IsExact(view.dtype) ? "" : bytes);
}

void ExpectSameHistogram(const mindspore::Summary::Histogram& histogram,
                         const HistogramData& data) {
  ASSERT_EQ(static_cast<std::size_t>(histogram.buckets_size()), data.buckets.size());
  for (int i = 0; i < histogram.buckets_size(); ++i) {
    const HistogramBucket& bucket = data.buckets[static_cast<std::size_t>(i)];
    EXPECT_THAT(histogram.buckets(i).left(), SameDouble(bucket.left));
    EXPECT_THAT(histogram.buckets(i).width(), SameDouble(bucket.width));
    EXPECT_EQ(histogram.buckets(i).count(), bucket.count);
  }
  EXPECT_EQ(histogram.nan_count(), data.nan_count);
  EXPECT_EQ(histogram.count(), data.count);
  EXPECT_EQ(histogram.has_max(), data.has_finite);
  EXPECT_EQ(histogram.has_sum(), data.has_finite);
  EXPECT_THAT(histogram.max(), SameDouble(data.max));
  EXPECT_THAT(histogram.min(), SameDouble(data.min));
  EXPECT_THAT(histogram.sum(), SameDouble(data.sum));
}

void ExpectSameValue(const mindspore::Summary::Value& written, const PreparedValue& value) {
  EXPECT_EQ(written.tag(), value.tag);
  if (value.kind == ValueKind::kScalar) {
    ASSERT_TRUE(written.has_scalar_value());
    EXPECT_THAT(static_cast<double>(written.scalar_value()),
                SameDouble(static_cast<double>(static_cast<float>(value.scalar))));
  } else if (value.kind == ValueKind::kTensor) {
    ASSERT_TRUE(written.has_tensor());
    ExpectSameTensor(written.tensor(), value.tensor);
  } else if (value.kind == ValueKind::kHistogram) {
    ASSERT_TRUE(written.has_histogram());
    ExpectSameHistogram(written.histogram(), *value.histogram);
  } else if (value.kind == ValueKind::kImage) {
    ASSERT_TRUE(written.has_image());
    EXPECT_EQ(written.image().height(), value.image->height);
    EXPECT_EQ(written.image().width(), value.image->width);
    EXPECT_EQ(written.image().colorspace(), value.image->colorspace);
    EXPECT_EQ(written.image().encoded_image(), value.image->bytes);
  } else {
    EXPECT_EQ(value.kind, ValueKind::kLandscape);
    EXPECT_TRUE(written.has_loss_landscape());
  }
}

TEST(MindSporeEncoderTest, AnySequenceOfValuesIsDecodedEqual) {
  testing::AnyValues any(20261120);
  Payload payload;  // One for all, as the writer has it.
  for (int round = 0; round < 500; ++round) {
    const EventBuilder values = any.Draw();
    const PreparedEvent event = values.Event(kNow, any.Integer());
    payload.Clear();
    ASSERT_TRUE(mindspore::EncodeSummaryEvent(event, payload));
    const mindspore::Event decoded = Decode(BytesOf(payload));
    ASSERT_EQ(decoded.step(), event.step);
    ASSERT_EQ(static_cast<std::size_t>(decoded.summary().value_size()), event.values.size());
    for (int i = 0; i < decoded.summary().value_size(); ++i) {
      ExpectSameValue(decoded.summary().value(i), event.values[static_cast<std::size_t>(i)]);
    }
    ASSERT_EQ(decoded.SerializeAsString(), BytesOf(payload)) << "not in protobuf's own order";
  }
}

}  // namespace
}  // namespace sightline
