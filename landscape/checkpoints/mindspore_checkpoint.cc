#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "sightline/base/wire.h"
#include "sightline/landscape/checkpoints/checkpoint_formats.h"

namespace sightline::landscape {
namespace {

// Field numbers of checkpoint.proto.
constexpr std::uint32_t kCheckpointValue = 1;
constexpr std::uint32_t kValueTag = 1;
constexpr std::uint32_t kValueTensor = 2;
constexpr std::uint32_t kTensorDims = 1;
constexpr std::uint32_t kTensorType = 2;
constexpr std::uint32_t kTensorContent = 3;

// save_checkpoint(crc_check=True) puts these and ten bytes of checksum after the message.
constexpr std::string_view kCrcMark = "crc_num";
constexpr std::size_t kCrcBytes = 10;

constexpr std::size_t kMaxDims = 32;

constexpr std::array<std::pair<std::string_view, DType>, 13> kTypes = {{
    {"Float32", DType::kFloat32},
    {"Float16", DType::kFloat16},
    {"BFloat16", DType::kBfloat16},
    {"Float64", DType::kFloat64},
    {"Bool", DType::kBool},
    {"Int8", DType::kInt8},
    {"Int16", DType::kInt16},
    {"Int32", DType::kInt32},
    {"Int64", DType::kInt64},
    {"UInt8", DType::kUint8},
    {"UInt16", DType::kUint16},
    {"UInt32", DType::kUint32},
    {"UInt64", DType::kUint64},
}};

std::optional<DType> TypeNamed(std::string_view name) {
  for (const auto& [type, dtype] : kTypes)
    if (type == name) return dtype;
  return std::nullopt;
}

// One Value: a tensor, or a slice of one.
struct Slice {
  std::string_view tag;
  bool has_tensor = false;
  std::vector<std::int64_t> dims;
  std::string_view type;
  std::string_view content;
};

Status Damaged(std::string_view what) {
  return Status(StatusCode::kDataLoss,
                fmt::format("not a MindSpore checkpoint, .npz or safetensors: {}", what));
}

Status AddDims(const wire::Field& field, std::vector<std::int64_t>& dims) {
  if (field.type == wire::WireType::kVarint) {
    dims.push_back(field.AsInt64());
  } else if (field.type == wire::WireType::kBytes) {  // Packed: bytes of varints.
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : field.bytes) {
      const auto byte = static_cast<std::uint8_t>(c);
      if (shift > 63) return Damaged("a dimension is not a number");
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      dims.push_back(static_cast<std::int64_t>(value));
      value = shift = 0;
      if (dims.size() > kMaxDims) break;
    }
    if (shift != 0) return Damaged("a dimension is cut");
  }
  return dims.size() <= kMaxDims ? Status() : Damaged("a tensor has more than 32 dimensions");
}

Status ParseTensor(std::string_view message, Slice& slice) {
  wire::Field field;
  wire::Scanner scan(message);
  while (scan.Next(field)) {
    if (field.number == kTensorDims) {
      SIGHTLINE_RETURN_IF_ERROR(AddDims(field, slice.dims));
    } else if (field.type == wire::WireType::kBytes) {
      if (field.number == kTensorType) slice.type = field.bytes;
      if (field.number == kTensorContent) slice.content = field.bytes;
    }
  }
  return scan.malformed() ? Damaged("a tensor is cut") : Status();
}

Result<Slice> ParseValue(std::string_view message) {
  Slice slice;
  wire::Field field;
  wire::Scanner scan(message);
  while (scan.Next(field)) {
    if (field.type != wire::WireType::kBytes) continue;
    if (field.number == kValueTag) slice.tag = field.bytes;
    if (field.number == kValueTensor) {
      slice.has_tensor = true;
      slice.dims.clear();
      SIGHTLINE_RETURN_IF_ERROR(ParseTensor(field.bytes, slice));
    }
  }
  if (scan.malformed()) return Error(Damaged("a value is cut"));
  if (slice.tag.empty()) return Error(Damaged("a value has no tag"));
  return slice;
}

// True if the tensor continues in the next value: it has the same tag, type and shape.
bool Continues(const Slice& slice, DType dtype, const ParsedTensors& so_far) {
  if (so_far.tensors.empty()) return false;
  const CheckpointTensor& last = so_far.tensors.back();
  return last.name == slice.tag && last.dtype == dtype && last.shape == slice.dims;
}

void Add(Slice slice, ParsedTensors& out) {
  const auto dtype = TypeNamed(slice.type);
  if (!slice.has_tensor || !dtype) {
    out.skipped.push_back({std::string(slice.tag),
                           slice.has_tensor ? fmt::format("its type '{}' is unknown", slice.type)
                                            : std::string("it is not a dense tensor")});
    return;
  }
  // MindSpore writes the shape of a single number as [0].
  if (slice.dims == std::vector<std::int64_t>{0} && slice.content.size() == DTypeSize(*dtype))
    slice.dims.clear();
  if (Continues(slice, *dtype, out)) {
    out.tensors.back().pieces.push_back(slice.content);
  } else {
    out.tensors.push_back({std::string(slice.tag), *dtype, std::move(slice.dims), {slice.content}});
  }
}

}  // namespace

Result<ParsedTensors> ParseMindSporeCheckpoint(std::string_view bytes) {
  const std::size_t tail = kCrcMark.size() + kCrcBytes;
  if (bytes.size() >= tail && bytes.substr(bytes.size() - tail, kCrcMark.size()) == kCrcMark)
    bytes.remove_suffix(tail);
  ParsedTensors parsed;
  wire::Field field;
  wire::Scanner scan(bytes);
  while (scan.Next(field)) {
    if (field.number != kCheckpointValue || field.type != wire::WireType::kBytes) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(Slice slice, ParseValue(field.bytes));
    Add(std::move(slice), parsed);
  }
  if (scan.malformed()) return Error(Damaged("the file is cut or damaged"));
  if (parsed.tensors.empty() && parsed.skipped.empty()) return Error(Damaged("it has no tensor"));
  return parsed;
}

}  // namespace sightline::landscape
