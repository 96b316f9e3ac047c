// Whatever is recorded is read back equal: random sequences of values of every kind, dtype and
// shape, through the recorder, its files in both dialects, and EventReader.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "sightline/base/wire.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;

constexpr DType kDTypes[] = {DType::kBool,    DType::kInt8,    DType::kInt16,   DType::kInt32,
                             DType::kInt64,   DType::kUint8,   DType::kUint16,  DType::kUint32,
                             DType::kUint64,  DType::kFloat16, DType::kFloat32, DType::kFloat64,
                             DType::kBfloat16};

// A value with memory of its own.
struct Sample {
  std::string tag;
  ValueKind kind = ValueKind::kScalar;
  double scalar = 0;
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<char> data;

  Value AsValue() const {
    if (kind == ValueKind::kScalar) return Value::Scalar(scalar);
    Value value = Value::Tensor({dtype, shape, data.data()});
    value.kind = kind;
    return value;
  }
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::size_t Below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  Sample Next(std::size_t index) {
    Sample sample;
    sample.tag = fmt::format("tag {} \xc3\xa9/{}", index, std::string(Below(40), 'x'));
    switch (Below(4)) {
      case 0:
        sample.scalar = Scalar();
        break;
      case 1:
        sample.kind = ValueKind::kTensor;
        sample.dtype = kDTypes[Below(std::size(kDTypes))];
        for (std::size_t rank = Below(5); rank > 0; --rank)
          sample.shape.push_back(static_cast<std::int64_t>(Below(5)));
        break;
      case 2:
        sample.kind = ValueKind::kHistogram;
        sample.shape = {static_cast<std::int64_t>(Below(2000))};
        break;
      default:
        sample.kind = ValueKind::kImage;
        sample.dtype = DType::kUint8;
        sample.shape = {1, 3, static_cast<std::int64_t>(1 + Below(20)),
                        static_cast<std::int64_t>(1 + Below(20))};
    }
    if (sample.kind != ValueKind::kScalar) Fill(sample);
    return sample;
  }

 private:
  double Scalar() {
    switch (Below(4)) {
      case 0:
        return std::bit_cast<double>(
            random_());  // Any bits: NaN, infinity, denormals, beyond float32.
      case 1:
        return std::ldexp(1.0, static_cast<int>(Below(300)) - 150);
      default:
        return std::normal_distribution<double>()(random_);
    }
  }

  void Fill(Sample& sample) {
    sample.data.resize(TensorView{sample.dtype, sample.shape, nullptr}.ByteSize());
    for (char& byte : sample.data) byte = static_cast<char>(random_());
    if (sample.dtype == DType::kBool) {
      for (char& byte : sample.data) byte = static_cast<char>(byte & 1);
    }
    // A signalling NaN becomes quiet when it is converted: no two float32 fields are compared by
    // its bits.
    if (sample.kind == ValueKind::kHistogram) {
      for (std::size_t i = 0; i + 4 <= sample.data.size(); i += 4) {
        const float value = std::normal_distribution<float>()(random_);
        std::memcpy(sample.data.data() + i, &value, sizeof(value));
      }
    }
  }

  std::mt19937_64 random_;
};

bool SameFloat(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// NaN of the small floats keeps being NaN; everything else keeps its bits.
bool SameElements(const Sample& sample, const TensorData& read) {
  if (read.dtype != sample.dtype || read.shape != sample.shape ||
      read.data.size() != sample.data.size())
    return false;
  if (sample.data.empty()) return true;
  if (std::memcmp(read.data.data(), sample.data.data(), sample.data.size()) == 0) return true;
  const std::size_t size = DTypeSize(sample.dtype);
  for (std::size_t i = 0; i < sample.data.size(); i += size) {
    if (std::memcmp(read.data.data() + i, sample.data.data() + i, size) == 0) continue;
    if (size != 2) return false;
    std::uint16_t bits = 0;
    std::memcpy(&bits, sample.data.data() + i, sizeof(bits));
    const unsigned exponent = sample.dtype == DType::kFloat16 ? 0x7c00U : 0x7f80U;
    if ((bits & exponent) != exponent) return false;
  }
  return true;
}

void ExpectSame(const Sample& sample, EventFileKind file_kind, const ValueView& value) {
  EXPECT_EQ(value.tag, sample.tag);
  if (sample.kind == ValueKind::kScalar) {
    EXPECT_TRUE(SameFloat(value.scalar, static_cast<float>(sample.scalar)))
        << value.scalar << " " << sample.scalar;
  } else if (sample.kind == ValueKind::kTensor) {
    const auto tensor = DecodeTensor(file_kind, value.message);
    ASSERT_THAT(tensor, IsOk());
    EXPECT_TRUE(SameElements(sample, *tensor)) << DTypeName(sample.dtype);
  } else if (sample.kind == ValueKind::kHistogram) {
    const auto read = DecodeHistogram(file_kind, value);
    const auto expected = ComputeHistogram({sample.dtype, sample.shape, sample.data.data()});
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(read->count, expected->count);
    EXPECT_EQ(read->sum, expected->sum);
    const bool exact = file_kind == EventFileKind::kMindSporeSummary;
    EXPECT_TRUE(!exact || read->buckets.size() == expected->buckets.size());
  } else {
    const auto image = DecodeImage(file_kind, value);
    ASSERT_THAT(image, IsOk());
    const auto pixels = DecodePng(image->encoded);
    ASSERT_THAT(pixels, IsOk());
    const auto plane = static_cast<std::size_t>(sample.shape[2] * sample.shape[3]);
    for (std::size_t i = 0; i < plane; ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        ASSERT_EQ(pixels->bytes[i * 3 + c], sample.data[c * plane + i]);
    }
  }
}

void ExpectFileHolds(const std::string& path, const std::vector<std::vector<Sample>>& events) {
  auto reader = EventReader::Open(FileSystem::Local(), path);
  ASSERT_THAT(reader, IsOk());
  std::int64_t step = 0;
  while ((*reader)->Next() == ReadOutcome::kRecord) {
    const EventView& event = (*reader)->event();
    if (event.kind != EventKind::kSummary) continue;
    ASSERT_LT(static_cast<std::size_t>(step), events.size());
    const std::vector<Sample>& expected = events[static_cast<std::size_t>(step)];
    EXPECT_EQ(event.step, step++);
    ASSERT_EQ(event.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ExpectSame(expected[i], (*reader)->kind(), event.values[i]);
  }
  EXPECT_EQ(static_cast<std::size_t>(step), events.size());
  EXPECT_TRUE((*reader)->skipped().empty());
}

TEST(RoundTripTest, EverySequenceOfValuesIsReadBackEqualInBothDialects) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Generator generator(seed);
    testing::TempDir dir;
    RecorderOptions options;
    options.formats = {Format::kMindSpore, Format::kTensorBoard};
    options.writing.buffer_bytes = std::size_t{1} << 20;
    options.writing.min_free_disk_bytes = 0;
    auto recorder = Recorder::Open(dir.path(), options);
    ASSERT_THAT(recorder, IsOk());
    std::vector<std::vector<Sample>> events(50);
    for (std::size_t step = 0; step < events.size(); ++step) {
      for (std::size_t i = 0; i <= generator.Below(6); ++i)
        events[step].push_back(generator.Next(i));
      // The three ways to record an event are taken in turn.
      if (events[step].size() == 1) {
        const Sample& only = events[step].front();
        ASSERT_EQ((*recorder)->Add(only.tag, static_cast<std::int64_t>(step), only.AsValue()),
                  Outcome::kAccepted);
      } else if (step % 2 == 0) {
        for (const Sample& sample : events[step]) (*recorder)->Stage(sample.tag, sample.AsValue());
        ASSERT_EQ((*recorder)->RecordStaged(static_cast<std::int64_t>(step)), Outcome::kAccepted);
      } else {
        std::vector<TaggedValue> values;
        for (const Sample& sample : events[step]) values.push_back({sample.tag, sample.AsValue()});
        ASSERT_EQ((*recorder)->Record(static_cast<std::int64_t>(step), values), Outcome::kAccepted);
      }
    }
    ASSERT_THAT((*recorder)->Close(), IsOk());
    EXPECT_EQ((*recorder)->Stats().errors, 0) << (*recorder)->Stats().first_error.ToString();
    const RecorderStats stats = (*recorder)->Stats();
    ASSERT_EQ(stats.files.size(), 2);
    for (const std::string& file : stats.files) ExpectFileHolds(file, events);
  }
}

TEST(RoundTripTest, EveryTensorBoardEventIsReadBackAsItWasGiven) {
  std::mt19937_64 random(20261121);
  testing::TempDir dir;
  RecorderOptions options;
  options.formats = {Format::kTensorBoard};
  options.writing.buffer_bytes = std::size_t{1} << 20;
  options.writing.min_free_disk_bytes = 0;
  auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  std::vector<std::string> events;
  for (std::int64_t step = 0; step < 200; ++step) {
    // A log message of any bytes, a few of them larger than the buffer.
    std::string text(random() % (step % 50 == 0 ? 3'000'000 : 2'000), '\0');
    for (char& c : text) c = static_cast<char>(random());
    wire::AppendBytes(events.emplace_back(), 6, text);
    ASSERT_EQ((*recorder)->AddMessage("", step, ValueKind::kTensorBoardEvent, events.back()),
              Outcome::kAccepted);
  }
  ASSERT_THAT((*recorder)->Close(), IsOk());
  auto reader = EventReader::Open(FileSystem::Local(), (*recorder)->Stats().files.at(0));
  ASSERT_THAT(reader, IsOk());
  std::size_t at = 0;
  while ((*reader)->Next() == ReadOutcome::kRecord) {
    const EventView& event = (*reader)->event();
    if (event.kind == EventKind::kVersion) continue;
    ASSERT_LT(at, events.size());
    EXPECT_EQ(event.kind, EventKind::kLogMessage);
    EXPECT_EQ(event.step, static_cast<std::int64_t>(at));
    EXPECT_TRUE(event.payload.ends_with(events[at])) << at;
    ++at;
  }
  EXPECT_EQ(at, events.size());
}

}  // namespace
}  // namespace sightline
