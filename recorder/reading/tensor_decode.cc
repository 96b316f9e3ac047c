// The functions of event_decode.h for tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sightline/base/wire.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

constexpr std::size_t kMaxDimensions = 32;  // Like TensorView.
constexpr std::int64_t kString = 7;         // TensorFlow's DT_STRING.

// The elements in the lists of a TensorProto. Each list can hold every dtype that uses it.
struct Elements {
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;  // All varints; the bits of uint64.

  std::size_t size() const { return floats.size() + doubles.size() + integers.size(); }
};

template <typename T>
void AppendFixed(const Field& field, std::vector<T>& out) {
  const std::string_view bytes = field.bytes;
  if (field.type == WireType::kBytes) {
    const std::size_t count = bytes.size() / sizeof(T);
    out.resize(out.size() + count);
    if (count > 0) std::memcpy(&out[out.size() - count], bytes.data(), count * sizeof(T));
  } else if (field.type == WireType::kFixed32 || field.type == WireType::kFixed64) {
    out.push_back(sizeof(T) == sizeof(float) ? static_cast<T>(field.AsFloat())
                                             : static_cast<T>(field.AsDouble()));
  }
}

// Appends varints, packed or one by one. False for other bytes.
bool AppendVarints(const Field& field, std::vector<std::int64_t>& out) {
  if (field.type == WireType::kVarint) out.push_back(field.AsInt64());
  if (field.type != WireType::kBytes) return true;
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (shift > 63) return false;
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    out.push_back(static_cast<std::int64_t>(value));
    value = 0;
    shift = 0;
  }
  return shift == 0;
}

// The nearest value of the type `To`. NaN becomes 0 if `To` has no NaN.
template <typename To, typename From>
To Narrow(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<From>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    if (value >= static_cast<From>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

// Writes each element of `from` to its place in `data`, and the last one to all further places.
// Without elements, `data` stays zero.
template <typename To, typename From, typename Convert>
void FillWith(const std::vector<From>& from, std::vector<std::byte>& data, Convert convert) {
  if (from.empty()) return;
  const std::size_t count = data.size() / sizeof(To);
  for (std::size_t i = 0; i < count; ++i) {
    const To element = convert(from[std::min(i, from.size() - 1)]);
    std::memcpy(&data[i * sizeof(To)], &element, sizeof(To));
  }
}

template <typename To>
void Fill(const Elements& elements, std::vector<std::byte>& data) {
  FillWith<To>(elements.floats, data, Narrow<To, float>);
  FillWith<To>(elements.doubles, data, Narrow<To, double>);
  FillWith<To>(elements.integers, data, Narrow<To, std::int64_t>);
}

// Fills 16-bit floats. Numbers are rounded. TensorBoard's integers are the bits themselves; but
// PyTorch's add_tensor writes the bits of float32 numbers, most of which do not fit in 16 bits.
template <typename Round>
void FillHalf(const Elements& elements, std::vector<std::byte>& data, Round round) {
  const auto& integers = elements.integers;
  if (std::any_of(integers.begin(), integers.end(),
                  [](std::int64_t bits) { return bits < 0 || bits > 0xffff; })) {
    return FillWith<std::uint16_t>(integers, data, [&](std::int64_t bits) {
      return round(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    });
  }
  FillWith<std::uint16_t>(elements.floats, data,
                          [&](float value) { return round(static_cast<double>(value)); });
  FillWith<std::uint16_t>(elements.doubles, data, round);
  FillWith<std::uint16_t>(elements.integers, data, Narrow<std::uint16_t, std::int64_t>);
}

void FillAs(DType dtype, const Elements& elements, std::vector<std::byte>& data) {
  switch (dtype) {
    case DType::kBool:
      return Fill<bool>(elements, data);
    case DType::kInt8:
      return Fill<std::int8_t>(elements, data);
    case DType::kInt16:
      return Fill<std::int16_t>(elements, data);
    case DType::kInt32:
      return Fill<std::int32_t>(elements, data);
    case DType::kInt64:
      return Fill<std::int64_t>(elements, data);
    case DType::kUint8:
      return Fill<std::uint8_t>(elements, data);
    case DType::kUint16:
      return Fill<std::uint16_t>(elements, data);
    case DType::kUint32:
      return Fill<std::uint32_t>(elements, data);
    case DType::kUint64:
      return Fill<std::uint64_t>(elements, data);
    case DType::kFloat16:
      return FillHalf(elements, data, DoubleToHalf);
    case DType::kFloat32:
      return Fill<float>(elements, data);
    case DType::kFloat64:
      return Fill<double>(elements, data);
    case DType::kBfloat16:
      // This is exact: in MindSpore's float_data of a bfloat16, the lower half of each float is 0.
      return FillHalf(elements, data, [](double value) {
        return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >>
                                          16U);
      });
    case DType::kComplex64:
      return FillWith<float>(elements.floats, data, Narrow<float, float>);
    case DType::kComplex128:
      return FillWith<double>(elements.doubles, data, Narrow<double, double>);
  }
}

// A TensorProto whose elements are still in its lists.
struct Parsed {
  std::optional<DType> dtype;
  std::int64_t type_number = 0;
  std::vector<std::int64_t> shape;
  bool unknown_shape = false;
  Elements elements;
  std::string_view raw;
  bool sound = true;
};

Parsed ParseMindSpore(std::string_view message) {
  Parsed tensor;
  Scanner scan(message);
  for (Field field; scan.Next(field);) {
    if (field.number == 1) tensor.sound &= AppendVarints(field, tensor.shape);
    if (field.number == 2 && field.type == WireType::kVarint) tensor.type_number = field.AsInt64();
    if (field.number == 3) AppendFixed(field, tensor.elements.floats);
    if (field.number == 4 || field.number == 5 || field.number == 7) {
      tensor.sound &= AppendVarints(field, tensor.elements.integers);
    }
    if (field.number == 6) AppendFixed(field, tensor.elements.doubles);
    if (field.number == 8 && field.type == WireType::kBytes) tensor.raw = field.bytes;
  }
  tensor.sound &= !scan.malformed();
  if (tensor.type_number >= 0 && tensor.type_number < 256) {
    tensor.dtype = DTypeOfMindSpore(static_cast<int>(tensor.type_number));
  }
  return tensor;
}

bool ParseShape(std::string_view message, Parsed& tensor) {
  Scanner scan(message);
  for (Field field; scan.Next(field);) {
    if (field.number == 3 && field.type == WireType::kVarint)
      tensor.unknown_shape = field.AsInt64() != 0;
    if (field.number != 2 || field.type != WireType::kBytes) continue;
    std::int64_t size = 0;
    Scanner dim(field.bytes);
    for (Field inner; dim.Next(inner);) {
      if (inner.number == 1 && inner.type == WireType::kVarint) size = inner.AsInt64();
    }
    if (dim.malformed()) return false;
    tensor.shape.push_back(size);
  }
  return !scan.malformed();
}

Parsed ParseTensorBoard(std::string_view message) {
  Parsed tensor;
  Scanner scan(message);
  for (Field field; scan.Next(field);) {
    switch (field.number) {
      case 1:
        if (field.type == WireType::kVarint) tensor.type_number = field.AsInt64();
        break;
      case 2:
        if (field.type == WireType::kBytes) tensor.sound &= ParseShape(field.bytes, tensor);
        break;
      case 4:
        if (field.type == WireType::kBytes) tensor.raw = field.bytes;
        break;
      case 5:
      case 9:
        AppendFixed(field, tensor.elements.floats);
        break;
      case 6:
      case 12:
        AppendFixed(field, tensor.elements.doubles);
        break;
      case 7:
      case 10:
      case 11:
      case 13:
      case 16:
      case 17:
        tensor.sound &= AppendVarints(field, tensor.elements.integers);
        break;
    }
  }
  tensor.sound &= !scan.malformed();
  if (tensor.type_number >= 0 && tensor.type_number < 256) {
    tensor.dtype = DTypeOfTensorFlow(static_cast<int>(tensor.type_number));
  }
  return tensor;
}

// Bytes of a tensor of this dtype and shape; no value if a size is negative or the result
// overflows.
std::optional<std::size_t> BytesOf(DType dtype, const std::vector<std::int64_t>& shape) {
  std::size_t bytes = DTypeSize(dtype);
  for (const std::int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::size_t>(size), &bytes))
      return std::nullopt;
  }
  return bytes;
}

}  // namespace

Result<TensorData> DecodeTensor(EventFileKind file_kind, std::string_view tensor_proto) {
  const bool tensorboard = file_kind == EventFileKind::kTensorBoard;
  Parsed parsed = tensorboard ? ParseTensorBoard(tensor_proto) : ParseMindSpore(tensor_proto);
  if (!parsed.sound)
    return Error(StatusCode::kDataLoss, "tensor: not a protobuf message of its kind");
  if (tensorboard && parsed.type_number == kString)
    return Error(StatusCode::kUnimplemented, "tensor: its elements are strings");
  if (!parsed.dtype) {
    return Error(StatusCode::kUnimplemented,
                 fmt::format("tensor: elements of type {}", parsed.type_number));
  }
  const auto bytes = BytesOf(*parsed.dtype, parsed.shape);
  if (!bytes || parsed.unknown_shape || parsed.shape.size() > kMaxDimensions) {
    return Error(
        StatusCode::kDataLoss,
        fmt::format("tensor: its shape of {} dimensions is not valid", parsed.shape.size()));
  }
  TensorData tensor{*parsed.dtype, std::move(parsed.shape), {}};
  if (!parsed.raw.empty() || *bytes == 0) {
    if (parsed.raw.size() != *bytes) {
      return Error(StatusCode::kDataLoss, fmt::format("tensor: {} bytes, but its shape needs {}",
                                                      parsed.raw.size(), *bytes));
    }
    tensor.data.resize(*bytes);
    if (*bytes > 0) std::memcpy(tensor.data.data(), parsed.raw.data(), *bytes);
    return tensor;
  }
  const bool is_complex = tensor.dtype == DType::kComplex64 || tensor.dtype == DType::kComplex128;
  const std::size_t listed = parsed.elements.size();
  const std::size_t wanted = *bytes / DTypeSize(tensor.dtype) * (is_complex ? 2 : 1);
  if (listed > wanted || (listed < wanted && (!tensorboard || is_complex))) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("tensor: {} elements where its shape needs {}", listed, wanted));
  }
  if (listed<wanted&& * bytes> kMaxFilledBytes) {
    return Error(StatusCode::kResourceExhausted,
                 fmt::format("tensor: {} elements stand for {} bytes", listed, *bytes));
  }
  tensor.data.resize(*bytes);
  FillAs(tensor.dtype, parsed.elements, tensor.data);
  return tensor;
}

bool HoldsStrings(std::string_view tensor_proto) {
  Scanner scan(tensor_proto);
  for (Field field; scan.Next(field);) {
    if (field.number == 1 && field.type == WireType::kVarint) return field.AsInt64() == kString;
  }
  return false;
}

std::optional<double> ScalarOfTensor(std::string_view tensor_proto) {
  const auto tensor = DecodeTensor(EventFileKind::kTensorBoard, tensor_proto);
  if (!tensor || tensor->View().ElementCount() != 1) return std::nullopt;
  if (tensor->dtype == DType::kComplex64 || tensor->dtype == DType::kComplex128)
    return std::nullopt;
  double value = 0;
  ConvertToFloat64(tensor->dtype, tensor->data.data(), 1, &value);
  return value;
}

Result<std::vector<std::string_view>> DecodeStrings(std::string_view tensor_proto) {
  std::vector<std::string_view> strings;
  std::int64_t type = 0;
  Scanner scan(tensor_proto);
  for (Field field; scan.Next(field);) {
    if (field.number == 1 && field.type == WireType::kVarint) type = field.AsInt64();
    if (field.number == 8 && field.type == WireType::kBytes) strings.push_back(field.bytes);
  }
  if (scan.malformed())
    return Error(StatusCode::kDataLoss, "tensor: not a protobuf message of its kind");
  if (type != kString) {
    return Error(StatusCode::kUnimplemented,
                 fmt::format("tensor: type {}, but must be string", type));
  }
  return strings;
}

Result<std::vector<std::int64_t>> DecodeShape(std::string_view tensor_proto) {
  Parsed parsed;
  Scanner scan(tensor_proto);
  for (Field field; scan.Next(field);) {
    if (field.number == 2 && field.type == WireType::kBytes)
      parsed.sound &= ParseShape(field.bytes, parsed);
  }
  std::int64_t count = 1;
  bool valid = parsed.sound && !scan.malformed() && !parsed.unknown_shape &&
               parsed.shape.size() <= kMaxDimensions;
  for (const std::int64_t size : parsed.shape)
    valid = valid && size >= 0 && !__builtin_mul_overflow(count, size, &count);
  if (!valid) return Error(StatusCode::kDataLoss, "tensor: its shape is not valid");
  return std::move(parsed.shape);
}

}  // namespace sightline
