#include "sightline/recorder/reading/event_decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/session.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsStatus;
using ::testing::Optional;

constexpr auto kMindSpore = EventFileKind::kMindSporeSummary;
constexpr auto kTensorBoard = EventFileKind::kTensorBoard;

template <typename T>
std::vector<T> Elements(const Result<TensorData>& tensor) {
  if (!tensor) {
    ADD_FAILURE() << tensor.error().ToString();
    return {};
  }
  std::vector<T> elements(tensor->data.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), tensor->data.data(), tensor->data.size());
  return elements;
}

Result<TensorData> Decode(const mindspore::TensorProto& tensor) {
  return DecodeTensor(kMindSpore, tensor.SerializeAsString());
}
Result<TensorData> Decode(const tensorboard::TensorProto& tensor) {
  return DecodeTensor(kTensorBoard, tensor.SerializeAsString());
}

mindspore::TensorProto MindSporeTensor(mindspore::DataType type,
                                       std::initializer_list<float> values) {
  mindspore::TensorProto tensor;
  tensor.set_data_type(type);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const float value : values) tensor.add_float_data(value);
  return tensor;
}

tensorboard::TensorProto TensorBoardTensor(tensorboard::DataType type, std::int64_t size) {
  tensorboard::TensorProto tensor;
  tensor.set_dtype(type);
  tensor.mutable_tensor_shape()->add_dim()->set_size(size);
  return tensor;
}

// MindSpore's tensors.

TEST(DecodeTensorTest, MindSporesFloatDataBecomesTheDtypeThatTheTensorNames) {
  EXPECT_THAT(Elements<float>(Decode(MindSporeTensor(mindspore::DT_FLOAT32, {1.5F, -2}))),
              ElementsAre(1.5F, -2));
  EXPECT_THAT(Elements<double>(Decode(MindSporeTensor(mindspore::DT_FLOAT64, {1.5F}))),
              ElementsAre(1.5));
  EXPECT_THAT(Elements<std::int8_t>(Decode(MindSporeTensor(mindspore::DT_INT8, {-128, 127}))),
              ElementsAre(-128, 127));
  EXPECT_THAT(Elements<std::int64_t>(Decode(MindSporeTensor(mindspore::DT_INT64, {16777216, -1}))),
              ElementsAre(16777216, -1));
  EXPECT_THAT(Elements<std::uint16_t>(Decode(MindSporeTensor(mindspore::DT_UINT16, {65535}))),
              ElementsAre(65535));
  EXPECT_THAT(Elements<std::uint8_t>(Decode(MindSporeTensor(mindspore::DT_BOOL, {0, 1, 2}))),
              ElementsAre(0, 1, 1));
  EXPECT_THAT(Elements<std::uint16_t>(Decode(MindSporeTensor(mindspore::DT_FLOAT16, {1, 65504}))),
              ElementsAre(0x3c00, 0x7bff));
  EXPECT_THAT(Elements<std::uint16_t>(Decode(MindSporeTensor(mindspore::DT_BFLOAT16, {1, -2}))),
              ElementsAre(0x3f80, 0xc000));
}

TEST(DecodeTensorTest, RawDataIsExactAndWins) {
  const std::int64_t exact[2] = {(std::int64_t{1} << 53U) + 1,
                                 std::numeric_limits<std::int64_t>::min()};
  auto tensor = MindSporeTensor(mindspore::DT_INT64, {9e15F, -9e18F});
  tensor.set_raw_data(exact, sizeof(exact));
  EXPECT_THAT(Elements<std::int64_t>(Decode(tensor)), ElementsAre(exact[0], exact[1]));
}

TEST(DecodeTensorTest, KeepsTheShape) {
  auto tensor = MindSporeTensor(mindspore::DT_FLOAT32, {1, 2, 3, 4, 5, 6});
  tensor.clear_dims();
  tensor.add_dims(2);
  tensor.add_dims(3);
  EXPECT_THAT(Decode(tensor)->shape, ElementsAre(2, 3));
  auto scalar = MindSporeTensor(mindspore::DT_FLOAT32, {7});
  scalar.clear_dims();
  EXPECT_THAT(Decode(scalar)->shape, IsEmpty());
  EXPECT_THAT(Elements<float>(Decode(scalar)), ElementsAre(7));
  EXPECT_THAT(Decode(MindSporeTensor(mindspore::DT_FLOAT32, {}))->data, IsEmpty());
}

TEST(DecodeTensorTest, ReadsMindSporesOtherLists) {
  mindspore::TensorProto tensor;
  tensor.add_dims(2);
  tensor.set_data_type(mindspore::DT_INT32);
  tensor.add_int32_data(-5);
  tensor.add_int32_data(5);
  EXPECT_THAT(Elements<std::int32_t>(Decode(tensor)), ElementsAre(-5, 5));
  tensor.clear_int32_data();
  tensor.set_data_type(mindspore::DT_FLOAT64);
  tensor.add_double_data(0.1);
  tensor.add_double_data(0.2);
  EXPECT_THAT(Elements<double>(Decode(tensor)), ElementsAre(0.1, 0.2));
  tensor.clear_double_data();
  tensor.set_data_type(mindspore::DT_UINT64);
  tensor.add_uint64_data(~std::uint64_t{0});
  tensor.add_uint64_data(1);
  EXPECT_THAT(Elements<std::uint64_t>(Decode(tensor)), ElementsAre(~std::uint64_t{0}, 1u));
}

TEST(DecodeTensorTest, NumbersThatTheDtypeCannotHoldAreItsNearest) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      Elements<std::int32_t>(Decode(MindSporeTensor(mindspore::DT_INT32, {inf, -inf, NAN, 3e9F}))),
      ElementsAre(2147483647, -2147483647 - 1, 0, 2147483647));
}

TEST(DecodeTensorTest, ATensorThatDoesNotFitItsShapeIsDamaged) {
  auto tensor = MindSporeTensor(mindspore::DT_FLOAT32, {1, 2, 3});
  tensor.set_dims(0, 2);
  EXPECT_THAT(Decode(tensor).error(),
              IsStatus(StatusCode::kDataLoss, "3 elements where its shape needs 2"));
  tensor.set_dims(0, std::int64_t{1} << 60U);
  EXPECT_THAT(Decode(tensor).error(), IsStatus(StatusCode::kDataLoss, ""));
  tensor.add_dims(std::int64_t{1} << 60U);
  EXPECT_THAT(Decode(tensor).error(), IsStatus(StatusCode::kDataLoss, "is not valid"));
  tensor.set_dims(0, -1);
  EXPECT_THAT(Decode(tensor).error(), IsStatus(StatusCode::kDataLoss, "is not valid"));
  tensor.set_raw_data("12345");
  tensor.clear_dims();
  EXPECT_THAT(Decode(tensor).error(),
              IsStatus(StatusCode::kDataLoss, "5 bytes, but its shape needs 4"));
}

TEST(DecodeTensorTest, TypesThatAreNoNumbersAreUnimplemented) {
  EXPECT_THAT(Decode(MindSporeTensor(mindspore::DT_STRING, {})).error(),
              IsStatus(StatusCode::kUnimplemented, "13"));
  EXPECT_THAT(Decode(TensorBoardTensor(tensorboard::DT_STRING, 1)).error(),
              IsStatus(StatusCode::kUnimplemented, "strings"));
}

TEST(DecodeTensorTest, BytesThatAreNoTensorAreDamaged) {
  EXPECT_THAT(DecodeTensor(kMindSpore, "\x1a\x7f").error(),
              IsStatus(StatusCode::kDataLoss, "tensor"));
  EXPECT_THAT(DecodeTensor(kMindSpore, "\x22\x01\xff").error(),
              IsStatus(StatusCode::kDataLoss, "tensor"));
  EXPECT_THAT(DecodeTensor(kTensorBoard, "\x12\x02\x12\x7f").error(),
              IsStatus(StatusCode::kDataLoss, "tensor"));
}

// TensorBoard's tensors.

TEST(DecodeTensorTest, ReadsTensorContent) {
  const float values[3] = {1, 2, 3};
  auto tensor = TensorBoardTensor(tensorboard::DT_FLOAT, 3);
  tensor.set_tensor_content(values, sizeof(values));
  EXPECT_THAT(Elements<float>(Decode(tensor)), ElementsAre(1, 2, 3));
}

TEST(DecodeTensorTest, ReadsEveryListOfTensorBoard) {
  auto tensor = TensorBoardTensor(tensorboard::DT_INT64, 1);
  tensor.add_int64_val(-1);
  EXPECT_THAT(Elements<std::int64_t>(Decode(tensor)), ElementsAre(-1));
  tensor = TensorBoardTensor(tensorboard::DT_UINT8, 2);
  tensor.add_int_val(0);
  tensor.add_int_val(255);
  EXPECT_THAT(Elements<std::uint8_t>(Decode(tensor)), ElementsAre(0, 255));
  tensor = TensorBoardTensor(tensorboard::DT_BOOL, 2);
  tensor.add_bool_val(true);
  tensor.add_bool_val(false);
  EXPECT_THAT(Elements<std::uint8_t>(Decode(tensor)), ElementsAre(1, 0));
  tensor = TensorBoardTensor(tensorboard::DT_HALF, 1);
  tensor.add_half_val(0x3c00);
  EXPECT_THAT(Elements<std::uint16_t>(Decode(tensor)), ElementsAre(0x3c00));
  tensor = TensorBoardTensor(tensorboard::DT_UINT32, 1);
  tensor.add_uint32_val(4000000000);
  EXPECT_THAT(Elements<std::uint32_t>(Decode(tensor)), ElementsAre(4000000000));
  tensor = TensorBoardTensor(tensorboard::DT_COMPLEX64, 1);
  tensor.add_scomplex_val(1);
  tensor.add_scomplex_val(2);
  EXPECT_THAT(Elements<float>(Decode(tensor)), ElementsAre(1, 2));
}

TEST(DecodeTensorTest, TheLastElementOfTensorBoardStandsForTheRest) {
  auto tensor = TensorBoardTensor(tensorboard::DT_FLOAT, 4);
  tensor.add_float_val(1);
  tensor.add_float_val(2);
  EXPECT_THAT(Elements<float>(Decode(tensor)), ElementsAre(1, 2, 2, 2));
}

TEST(DecodeTensorTest, AFewBytesCannotAskForAllTheMemory) {
  auto tensor = TensorBoardTensor(tensorboard::DT_FLOAT, std::int64_t{1} << 40U);
  tensor.add_float_val(1);
  EXPECT_THAT(Decode(tensor).error(),
              IsStatus(StatusCode::kResourceExhausted, "elements stand for"));
}

TEST(DecodeTensorTest, OnlyOneElementIsAScalar) {
  tensorboard::TensorProto tensor;
  tensor.set_dtype(tensorboard::DT_FLOAT);
  tensor.add_float_val(2.5F);
  EXPECT_THAT(ScalarOfTensor(tensor.SerializeAsString()), Optional(2.5));
  tensor.mutable_tensor_shape()->add_dim()->set_size(2);
  EXPECT_EQ(ScalarOfTensor(tensor.SerializeAsString()), std::nullopt);
}

TEST(DecodeStringsTest, GivesTheElements) {
  tensorboard::TensorProto tensor;
  tensor.set_dtype(tensorboard::DT_STRING);
  tensor.add_string_val("one");
  tensor.add_string_val("");
  const std::string bytes = tensor.SerializeAsString();
  EXPECT_THAT(*DecodeStrings(bytes), ElementsAre("one", ""));
  EXPECT_THAT(DecodeStrings("\x08\x01").error(),
              IsStatus(StatusCode::kUnimplemented, "must be string"));
  EXPECT_THAT(DecodeStrings("\x0a\x7f").error(), IsStatus(StatusCode::kDataLoss, "tensor"));
}

TEST(DecodeShapeTest, GivesTheSizesWhateverTheElementsAre) {
  tensorboard::TensorProto tensor;
  tensor.set_dtype(tensorboard::DT_STRING);
  EXPECT_THAT(*DecodeShape(tensor.SerializeAsString()), ElementsAre());
  tensor.mutable_tensor_shape()->add_dim()->set_size(3);
  tensor.mutable_tensor_shape()->add_dim()->set_size(0);
  EXPECT_THAT(*DecodeShape(tensor.SerializeAsString()), ElementsAre(3, 0));
  tensor.mutable_tensor_shape()->mutable_dim(1)->set_size(-1);
  EXPECT_THAT(DecodeShape(tensor.SerializeAsString()).error(),
              IsStatus(StatusCode::kDataLoss, "shape is not valid"));
  for (int i = 0; i < 2; ++i) tensor.mutable_tensor_shape()->mutable_dim(i)->set_size(1LL << 32U);
  EXPECT_THAT(DecodeShape(tensor.SerializeAsString()).error(),
              IsStatus(StatusCode::kDataLoss, "shape is not valid"));
  EXPECT_THAT(DecodeShape("\x12\x7f").error(), IsStatus(StatusCode::kDataLoss, "tensor"));
}

TEST(DecodeTensorTest, HalvesMayBeTheBitsOfFloat32) {
  // PyTorch's add_tensor; a negative number is a varint of ten bytes.
  tensorboard::TensorProto half = TensorBoardTensor(tensorboard::DT_HALF, 4);
  for (const float number : {1.0F, -2.5F, 0.1F, 0.0F})
    half.add_half_val(std::bit_cast<std::int32_t>(number));
  EXPECT_THAT(Elements<std::uint16_t>(Decode(half)), ElementsAre(0x3c00, 0xc100, 0x2e66, 0));
  half.set_dtype(tensorboard::DT_BFLOAT16);
  EXPECT_THAT(Elements<std::uint16_t>(Decode(half)), ElementsAre(0x3f80, 0xc020, 0x3dcc, 0));
  // TensorFlow's own: the bits of the half.
  tensorboard::TensorProto own = TensorBoardTensor(tensorboard::DT_HALF, 2);
  own.add_half_val(0x3c00);
  own.add_half_val(0xc100);
  EXPECT_THAT(Elements<std::uint16_t>(Decode(own)), ElementsAre(0x3c00, 0xc100));
}

tensorboard::TensorProto Strings(std::initializer_list<std::string> strings,
                                 std::initializer_list<std::int64_t> shape) {
  tensorboard::TensorProto tensor;
  tensor.set_dtype(tensorboard::DT_STRING);
  for (const std::int64_t size : shape) tensor.mutable_tensor_shape()->add_dim()->set_size(size);
  for (const std::string& string : strings) tensor.add_string_val(string);
  return tensor;
}

TEST(DecodeTensorTest, StringsAreNamed) {
  const std::string bytes = Strings({"a", "b"}, {2}).SerializeAsString();
  EXPECT_THAT(DecodeTensor(kTensorBoard, bytes).error(),
              IsStatus(StatusCode::kUnimplemented, "its elements are strings"));
  EXPECT_TRUE(HoldsStrings(bytes));
  EXPECT_FALSE(HoldsStrings(TensorBoardTensor(tensorboard::DT_FLOAT, 1).SerializeAsString()));
}

// Histograms.

ValueView HistogramValue(const std::string& bytes, bool is_tensor = false) {
  ValueView value;
  value.kind = ContentKind::kHistogram;
  value.message = bytes;
  value.is_tensor = is_tensor;
  return value;
}

TEST(DecodeHistogramTest, ReadsMindSporesBuckets) {
  mindspore::Summary::Histogram proto;
  auto* bucket = proto.add_buckets();
  bucket->set_left(-1);
  bucket->set_width(0.5);
  bucket->set_count(3);
  proto.set_nan_count(1);
  proto.set_pos_inf_count(2);
  proto.set_neg_inf_count(4);
  proto.set_max(9);
  proto.set_min(-1);
  proto.set_sum(5);
  proto.set_count(10);
  const std::string bytes = proto.SerializeAsString();
  const auto histogram = DecodeHistogram(kMindSpore, HistogramValue(bytes));
  ASSERT_THAT(histogram, testing::IsOk());
  ASSERT_EQ(histogram->buckets.size(), 1u);
  EXPECT_EQ(histogram->buckets[0].left, -1);
  EXPECT_EQ(histogram->buckets[0].width, 0.5);
  EXPECT_EQ(histogram->buckets[0].count, 3);
  EXPECT_EQ(histogram->nan_count, 1);
  EXPECT_EQ(histogram->pos_inf_count, 2);
  EXPECT_EQ(histogram->neg_inf_count, 4);
  EXPECT_EQ(histogram->max, 9);
  EXPECT_EQ(histogram->min, -1);
  EXPECT_EQ(histogram->sum, 5);
  EXPECT_EQ(histogram->count, 10);
  EXPECT_TRUE(histogram->has_finite);
}

TEST(DecodeHistogramTest, ReadsTensorBoardsBucketsWithFiniteEdges) {
  tensorboard::HistogramProto proto;
  proto.set_min(-1);
  proto.set_max(3);
  proto.set_num(6);
  proto.set_sum(7);
  proto.set_sum_squares(11);
  for (const double limit : {0.0, 1.0, std::numeric_limits<double>::infinity()})
    proto.add_bucket_limit(limit);
  for (const double count : {1.0, 2.0, 3.0}) proto.add_bucket(count);
  const std::string bytes = proto.SerializeAsString();
  const auto histogram = DecodeHistogram(kTensorBoard, HistogramValue(bytes));
  ASSERT_THAT(histogram, testing::IsOk());
  ASSERT_EQ(histogram->buckets.size(), 3u);
  EXPECT_EQ(histogram->buckets[0].left, -1);
  EXPECT_EQ(histogram->buckets[0].width, 1);
  EXPECT_EQ(histogram->buckets[2].left, 1);
  EXPECT_EQ(histogram->buckets[2].width, 2);
  EXPECT_EQ(histogram->buckets[2].count, 3);
  EXPECT_EQ(histogram->count, 6);
  EXPECT_EQ(histogram->sum_squares, 11);
}

TEST(DecodeHistogramTest, ReadsTheTensorsOfTensorFlow2) {
  tensorboard::TensorProto proto;
  proto.set_dtype(tensorboard::DT_DOUBLE);
  proto.mutable_tensor_shape()->add_dim()->set_size(2);
  proto.mutable_tensor_shape()->add_dim()->set_size(3);
  for (const double number : {0.0, 1.0, 4.0, 1.0, 3.0, 5.0}) proto.add_double_val(number);
  const std::string bytes = proto.SerializeAsString();
  const auto histogram = DecodeHistogram(kTensorBoard, HistogramValue(bytes, /*is_tensor=*/true));
  ASSERT_THAT(histogram, testing::IsOk());
  ASSERT_EQ(histogram->buckets.size(), 2u);
  EXPECT_EQ(histogram->buckets[1].left, 1);
  EXPECT_EQ(histogram->buckets[1].width, 2);
  EXPECT_EQ(histogram->count, 9);
  EXPECT_EQ(histogram->max, 3);
  proto.set_dtype(tensorboard::DT_FLOAT);
  const std::string other = proto.SerializeAsString();
  EXPECT_FALSE(DecodeHistogram(kTensorBoard, HistogramValue(other, /*is_tensor=*/true)));
}

TEST(DecodeHistogramTest, DamagedOnesAreRefused) {
  EXPECT_THAT(DecodeHistogram(kMindSpore, HistogramValue("\x0a\x02\x08")).error(),
              IsStatus(StatusCode::kDataLoss, "histogram"));
  EXPECT_THAT(DecodeHistogram(kMindSpore, HistogramValue(std::string("\x0a\x01\x09", 3))).error(),
              IsStatus(StatusCode::kDataLoss, "bucket"));
  tensorboard::HistogramProto uneven;
  uneven.add_bucket(1);
  EXPECT_THAT(DecodeHistogram(kTensorBoard, HistogramValue(uneven.SerializeAsString())).error(),
              IsStatus(StatusCode::kDataLoss, "0 bucket limits but 1 buckets"));
}

TEST(DecodeHistogramTest, KeepsFractions) {
  tensorboard::HistogramProto proto;
  proto.set_max(1);
  proto.set_num(0.75);
  for (const double limit : {0.5, 1.0}) proto.add_bucket_limit(limit);
  for (const double count : {0.25, 0.5}) proto.add_bucket(count);
  const std::string bytes = proto.SerializeAsString();
  const auto histogram = DecodeHistogram(kTensorBoard, HistogramValue(bytes));
  ASSERT_THAT(histogram, testing::IsOk());
  EXPECT_EQ(histogram->count, 0.75);
  EXPECT_EQ(histogram->buckets[0].count, 0.25);
  EXPECT_EQ(histogram->buckets[1].count, 0.5);
  EXPECT_TRUE(histogram->has_finite);
  EXPECT_TRUE(histogram->has_sum);
}

TEST(DecodeHistogramTest, KnowsWhichNumbersTheFileLacks) {
  tensorboard::TensorProto tensor;
  tensor.set_dtype(tensorboard::DT_DOUBLE);
  tensor.mutable_tensor_shape()->add_dim()->set_size(1);
  tensor.mutable_tensor_shape()->add_dim()->set_size(3);
  for (const double number : {0.0, 1.0, 4.0}) tensor.add_double_val(number);
  const std::string bytes = tensor.SerializeAsString();
  const auto of_tensor = DecodeHistogram(kTensorBoard, HistogramValue(bytes, /*is_tensor=*/true));
  EXPECT_TRUE(of_tensor->has_finite);
  EXPECT_FALSE(of_tensor->has_sum);
  tensor.set_double_val(0, std::nan(""));
  const std::string nan = tensor.SerializeAsString();
  EXPECT_FALSE(DecodeHistogram(kTensorBoard, HistogramValue(nan, /*is_tensor=*/true))->has_finite);
  mindspore::Summary::Histogram proto;
  proto.set_max(1);
  const std::string without = proto.SerializePartialAsString();
  EXPECT_FALSE(DecodeHistogram(kMindSpore, HistogramValue(without))->has_sum);
  proto.set_sum(0);
  const std::string with = proto.SerializePartialAsString();
  EXPECT_TRUE(DecodeHistogram(kMindSpore, HistogramValue(with))->has_sum);
}

// Images, sounds and sessions.

// A value of TensorFlow 2 with several images or sounds.
ValueView ItemsValue(ContentKind kind, const std::string& bytes) {
  ValueView value;
  value.kind = kind;
  value.message = bytes;
  value.is_tensor = true;
  return value;
}

TEST(DecodeImageTest, ATensorHasSeveralImages) {
  const std::string bytes = Strings({"4", "3", "first", "second"}, {4}).SerializeAsString();
  const ValueView value = ItemsValue(ContentKind::kImage, bytes);
  EXPECT_EQ(ItemCount(value), 2U);
  EXPECT_EQ(DecodeImage(kTensorBoard, value)->encoded, "first");
  const auto second = DecodeImage(kTensorBoard, value, 1);
  ASSERT_THAT(second, testing::IsOk());
  EXPECT_EQ(second->encoded, "second");
  EXPECT_EQ(second->width, 4);
  EXPECT_EQ(second->height, 3);
  EXPECT_THAT(DecodeImage(kTensorBoard, value, 2).error(),
              IsStatus(StatusCode::kDataLoss, "no image 2"));
  const std::string none = Strings({"4", "3"}, {2}).SerializeAsString();
  EXPECT_EQ(ItemCount(ItemsValue(ContentKind::kImage, none)), 1U) << "it is shown as unreadable";
  EXPECT_EQ(ItemCount(ItemsValue(ContentKind::kText, bytes)), 1U);
}

TEST(DecodeAudioTest, ATensorHasSeveralSounds) {
  const std::string bare = Strings({"a", "b", "c"}, {3}).SerializeAsString();
  const ValueView value = ItemsValue(ContentKind::kAudio, bare);
  EXPECT_EQ(ItemCount(value), 3U);
  EXPECT_EQ(DecodeAudio(value, 2)->encoded, "c");
  EXPECT_THAT(DecodeAudio(value, 3).error(), IsStatus(StatusCode::kDataLoss, "no sound 3"));
  const std::string labelled = Strings({"a", "label", "b", "label"}, {2, 2}).SerializeAsString();
  const ValueView with_labels = ItemsValue(ContentKind::kAudio, labelled);
  EXPECT_EQ(ItemCount(with_labels), 2U);
  EXPECT_EQ(DecodeAudio(with_labels, 1)->encoded, "b");
}

TEST(DecodeImageTest, GivesSizeAndEncodedBytes) {
  mindspore::Summary::Image proto;
  proto.set_height(2);
  proto.set_width(3);
  proto.set_colorspace(3);
  proto.set_encoded_image("png");
  const std::string bytes = proto.SerializeAsString();
  ValueView value;
  value.message = bytes;
  const auto image = DecodeImage(kMindSpore, value);
  ASSERT_THAT(image, testing::IsOk());
  EXPECT_EQ(image->height, 2);
  EXPECT_EQ(image->width, 3);
  EXPECT_EQ(image->colorspace, 3);
  EXPECT_EQ(image->encoded, "png");
  value.message = "\x22\x7f";
  EXPECT_THAT(DecodeImage(kMindSpore, value).error(), IsStatus(StatusCode::kDataLoss, "image"));
}

TEST(DecodeImageTest, GivesTheFirstImageOfTensorFlow2) {
  tensorboard::TensorProto proto;
  proto.set_dtype(tensorboard::DT_STRING);
  for (const char* text : {"20", "12", "png 1", "png 2"}) proto.add_string_val(text);
  const std::string bytes = proto.SerializeAsString();
  ValueView value;
  value.message = bytes;
  value.is_tensor = true;
  const auto image = DecodeImage(kTensorBoard, value);
  ASSERT_THAT(image, testing::IsOk());
  EXPECT_EQ(image->width, 20);
  EXPECT_EQ(image->height, 12);
  EXPECT_EQ(image->encoded, "png 1");
}

TEST(DecodeSessionTest, GivesEveryField) {
  SessionInfo proto;
  proto.set_writer("Sightline");
  proto.set_version("1.2.3");
  proto.set_session_id("0123");
  proto.set_rank(3);
  proto.set_world_size(8);
  proto.set_segment(2);
  proto.set_first_step(100);
  proto.set_resume_from_step(90);
  proto.set_continues_session("4567");
  const auto session = DecodeSession(proto.SerializeAsString());
  ASSERT_THAT(session, testing::IsOk());
  EXPECT_EQ(session->writer, "Sightline");
  EXPECT_EQ(session->version, "1.2.3");
  EXPECT_EQ(session->session_id, "0123");
  EXPECT_EQ(session->rank, 3);
  EXPECT_EQ(session->world_size, 8);
  EXPECT_EQ(session->segment, 2);
  EXPECT_THAT(session->first_step, Optional(100));
  EXPECT_THAT(session->resume_from_step, Optional(90));
  EXPECT_EQ(session->continues_session, "4567");
  EXPECT_FALSE(DecodeSession("")->first_step);
  EXPECT_THAT(DecodeSession("\x0a\x7f").error(), IsStatus(StatusCode::kDataLoss, "session"));
}

}  // namespace
}  // namespace sightline
