// What the tests of both encoders share: payloads as bytes, records of real files, values that own
// their data.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/dialect/payload.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::testing {

inline std::string BytesOf(const Payload& payload) {
  std::string bytes;
  payload.ForEachChunk([&](const Payload::Chunk& chunk) { bytes.append(chunk.bytes); });
  EXPECT_EQ(bytes.size(), payload.size());
  return bytes;
}

// The payloads of the records in `file`; both checksums of each are verified.
inline std::vector<std::string> RecordsIn(std::string_view file) {
  std::vector<std::string> records;
  while (!file.empty()) {
    std::uint64_t length = 0;
    std::uint32_t length_crc = 0;
    std::uint32_t payload_crc = 0;
    EXPECT_GE(file.size(), kRecordOverhead);
    std::memcpy(&length, file.data(), sizeof(length));
    std::memcpy(&length_crc, file.data() + kRecordLengthSize, sizeof(length_crc));
    EXPECT_EQ(length_crc, crc32c::Mask(crc32c::Value(file.substr(0, kRecordLengthSize))));
    EXPECT_GE(file.size() - kRecordOverhead, length);
    records.emplace_back(file.substr(kRecordHeaderSize, length));
    std::memcpy(&payload_crc, file.data() + kRecordHeaderSize + length, sizeof(payload_crc));
    EXPECT_EQ(payload_crc, crc32c::Mask(crc32c::Value(records.back())));
    file.remove_prefix(kRecordOverhead + length);
  }
  return records;
}

// The elements of a tensor of `dtype` whose float32 values are `values`.
inline std::string ElementsOf(DType dtype, const std::vector<float>& values) {
  std::string bytes;
  const auto append = [&bytes](auto element) {
    bytes.append(reinterpret_cast<const char*>(&element), sizeof(element));
  };
  for (const float v : values) {
    switch (dtype) {
      case DType::kBool:
        append(static_cast<std::uint8_t>(v != 0));
        break;
      case DType::kInt8:
        append(static_cast<std::int8_t>(v));
        break;
      case DType::kInt16:
        append(static_cast<std::int16_t>(v));
        break;
      case DType::kInt32:
        append(static_cast<std::int32_t>(v));
        break;
      case DType::kInt64:
        append(static_cast<std::int64_t>(v));
        break;
      case DType::kUint8:
        append(static_cast<std::uint8_t>(v));
        break;
      case DType::kUint16:
        append(static_cast<std::uint16_t>(v));
        break;
      case DType::kUint32:
        append(static_cast<std::uint32_t>(v));
        break;
      case DType::kUint64:
        append(static_cast<std::uint64_t>(v));
        break;
      case DType::kFloat16:
        append(DoubleToHalf(v));
        break;
      case DType::kFloat32:
        append(v);
        break;
      case DType::kFloat64:
        append(static_cast<double>(v));
        break;
      case DType::kBfloat16:
        append(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(v) >> 16U));
        break;
      case DType::kComplex64:
      case DType::kComplex128:
        ADD_FAILURE() << "no float32 values";
        break;
    }
  }
  return bytes;
}

// The values of an event, and what they borrow.
class EventBuilder {
 public:
  void Scalar(std::string_view tag, double value) { Add(ValueKind::kScalar, tag).scalar = value; }
  void Tensor(std::string_view tag, DType dtype, std::vector<std::int64_t> shape,
              std::string data) {
    shapes_.push_back(std::move(shape));
    Add(ValueKind::kTensor, tag).tensor = {dtype, shapes_.back(), Keep(std::move(data)).data()};
  }
  void Histogram(std::string_view tag, HistogramData data) {
    histograms_.push_back(std::move(data));
    Add(ValueKind::kHistogram, tag).histogram = &histograms_.back();
  }
  void Image(std::string_view tag, PngImage image) {
    images_.push_back(std::move(image));
    Add(ValueKind::kImage, tag).image = &images_.back();
  }
  void Message(ValueKind kind, std::string_view tag, std::string message) {
    Add(kind, tag).message = Keep(std::move(message));
  }

  PreparedEvent Event(double wall_time, std::int64_t step) const {
    return {wall_time, step, values_};
  }
  const std::vector<PreparedValue>& values() const { return values_; }

 private:
  PreparedValue& Add(ValueKind kind, std::string_view tag) {
    PreparedValue value;
    value.kind = kind;
    value.tag = Keep(std::string(tag));
    return values_.emplace_back(value);
  }
  const std::string& Keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::vector<PreparedValue> values_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::int64_t>> shapes_;
  std::deque<HistogramData> histograms_;
  std::deque<PngImage> images_;
};

// Any values that can share an event, drawn by `random`; some tensors are larger than a payload's
// piece.
class AnyValues {
 public:
  explicit AnyValues(std::uint64_t seed) : random_(seed) {}

  EventBuilder Draw() {
    EventBuilder event;
    const std::size_t count = 1 + Below(8);
    for (std::size_t i = 0; i < count; ++i) AddOne(event);
    return event;
  }
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }
  double Number() {
    const double special[] = {0.0, -0.0, 1e300, -1e300, 1e-300, std::nan(""), INFINITY, -INFINITY};
    if (Below(4) == 0) return special[Below(std::size(special))];
    return std::bit_cast<double>(random_());
  }
  std::int64_t Integer() { return static_cast<std::int64_t>(random_() >> Below(64)); }

 private:
  std::string Tag() {
    const std::string alphabet[] = {"a", "/", "标", "🙂", "0", std::string(1, '\0')};
    std::string tag;
    for (std::size_t i = Below(40); i > 0; --i) tag += alphabet[Below(std::size(alphabet))];
    return tag;
  }
  std::string Bytes(std::size_t size) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random_());
    return bytes;
  }
  void AddOne(EventBuilder& event) {
    switch (Below(5)) {
      case 0:
        event.Scalar(Tag(), Number());
        break;
      case 1:
        AddTensor(event);
        break;
      case 2:
        AddHistogram(event);
        break;
      case 3:
        event.Image(Tag(), {static_cast<int>(Below(5000)), static_cast<int>(Below(5000)),
                            static_cast<int>(1 + Below(4)), Bytes(Below(3000))});
        break;
      default:
        event.Message(ValueKind::kLandscape, Tag(), "");
    }
  }
  void AddTensor(EventBuilder& event) {
    const auto dtype = static_cast<DType>(1 + Below(13));  // Complex comes behind.
    std::vector<std::int64_t> shape;
    std::size_t elements = 1;
    for (std::size_t rank = Below(4); rank > 0; --rank) {
      shape.push_back(static_cast<std::int64_t>(Below(rank == 1 ? 3000 : 12)));
      elements *= static_cast<std::size_t>(shape.back());
    }
    std::string data = Bytes(elements * DTypeSize(dtype));
    if (dtype == DType::kBool) {
      for (char& c : data) c = static_cast<char>(c & 1);
    }
    event.Tensor(Tag(), dtype, std::move(shape), std::move(data));
  }
  // A whole number that a double holds exactly.
  double Count() { return static_cast<double>(Integer() & 0xfffffffffffff); }
  void AddHistogram(EventBuilder& event) {
    HistogramData data;
    data.has_finite = Below(5) != 0;
    data.nan_count = Integer() & INT64_MAX;
    data.count = Count();
    if (data.has_finite) {
      for (std::size_t i = Below(91); i > 0; --i)
        data.buckets.push_back({Number(), Number(), Count() + 1});
      data.max = Number();
      data.min = Number();
      data.sum = Number();
      data.sum_squares = Number();
    }
    event.Histogram(Tag(), std::move(data));
  }

  std::mt19937_64 random_;
};

// Equal, or both NaN.
MATCHER_P(SameDouble, expected, "") {
  return std::bit_cast<std::uint64_t>(arg) == std::bit_cast<std::uint64_t>(expected) ||
         (std::isnan(arg) && std::isnan(expected));
}

}  // namespace sightline::testing
