#include "sightline/recorder/journal/journal_entry.h"

#include <fmt/format.h>

#include <cstring>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/journal/journal_format.h"

namespace sightline {
namespace {

// For fewer bytes, computing a checksum is as fast as deriving it.
constexpr std::uint64_t kDerivedCrcBytes = std::uint64_t{16} << 10;
constexpr std::uint64_t kMaxMessageBytes = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 20);

// Larger data is copied and checksummed piece by piece.
constexpr std::size_t kPieceBytes = std::size_t{16} << 10;

char* PutPadded(char* out, const void* bytes, std::size_t size, std::uint32_t& crc) {
  if (size > kPieceBytes) {
    const std::size_t whole = size / kEntryAlignment * kEntryAlignment;
    crc = crc32c::ExtendCopy(crc, {static_cast<const char*>(bytes), whole}, out);
    return PutPadded(out + whole, static_cast<const char*>(bytes) + whole, size - whole, crc);
  }
  if (size != 0) std::memcpy(out, bytes, size);
  const std::size_t padded = AlignEntry(size);
  std::memset(out + size, 0, padded - size);
  crc = crc32c::Extend(crc, {out, padded});
  return out + padded;
}

Status Damaged(std::string_view what) {
  return Status(StatusCode::kDataLoss, fmt::format("journal entry: {}", what));
}

// Splits the part after a value's header into tag, dimensions and data.
Status ParseValue(const EntryValueHeader& header, const char* at, PreparedValue& value) {
  const std::size_t tag_room = AlignEntry(header.tag_bytes);
  const std::size_t shape_room = std::size_t{header.rank} * sizeof(std::int64_t);
  const std::size_t room = header.size - sizeof(EntryValueHeader);
  if (tag_room + shape_room + AlignEntry(header.data_bytes) != room)
    return Damaged("parts do not add up");
  value.kind = static_cast<ValueKind>(header.kind);
  const bool external_value = (header.flags & kExternal) != 0;
  value.tag = std::string_view(at, header.tag_bytes);
  const char* shape = at + tag_room;
  const char* data = shape + shape_room;
  if (FormOf(value.kind) == ValueForm::kNumber) {
    if (header.data_bytes != sizeof(double)) return Damaged("a scalar that is not a double");
    std::memcpy(&value.scalar, data, sizeof(double));
    return {};
  }
  std::uint64_t data_bytes = header.data_bytes;
  if (external_value) {
    if (header.data_bytes != sizeof(ExternalData))
      return Damaged("an external value without its address");
    ExternalData external{};
    std::memcpy(&external, data, sizeof(external));
    data = reinterpret_cast<const char*>(external.address);  // NOLINT(performance-no-int-to-ptr)
    data_bytes = external.bytes;
  }
  if (!HasTensor(value.kind)) {
    value.message = std::string_view(data, data_bytes);
    return {};
  }
  value.tensor.dtype = static_cast<DType>(header.dtype);
  value.tensor.shape =
      std::span<const std::int64_t>(reinterpret_cast<const std::int64_t*>(shape), header.rank);
  value.tensor.data = data;
  SIGHTLINE_RETURN_IF_ERROR(value.tensor.Check());
  if (value.tensor.ByteSize() != data_bytes) return Damaged("a tensor whose shape and size differ");
  return {};
}

}  // namespace

std::uint64_t DataBytes(const Value& value) {
  if (FormOf(value.kind) == ValueForm::kNumber) return sizeof(double);
  return HasTensor(value.kind) ? value.tensor.ByteSize() : value.message.size();
}

std::uint64_t EntryValueBytes(std::string_view tag, const Value& value, bool external) {
  const std::uint64_t rank = HasTensor(value.kind) ? value.tensor.shape.size() : 0;
  const std::uint64_t data = external ? sizeof(ExternalData) : DataBytes(value);
  return sizeof(EntryValueHeader) + AlignEntry(tag.size()) + rank * sizeof(std::int64_t) +
         AlignEntry(data);
}

namespace {

// A function of its own, so that a step without tensors runs only through the few stores of its
// scalars.
[[gnu::noinline]] char* PutTensorOrMessage(char* out, std::string_view tag, const Value& value,
                                           bool external, std::uint32_t& crc) {
  const bool tensor = HasTensor(value.kind);
  const std::span<const std::int64_t> shape =
      tensor ? value.tensor.shape : std::span<const std::int64_t>();
  const std::uint64_t data_bytes = external ? sizeof(ExternalData) : DataBytes(value);
  const EntryValueHeader header{
      .size = static_cast<std::uint32_t>(EntryValueBytes(tag, value, external)),
      .kind = static_cast<std::uint8_t>(value.kind),
      .dtype = tensor ? static_cast<std::uint8_t>(value.tensor.dtype) : std::uint8_t{0},
      .rank = static_cast<std::uint8_t>(shape.size()),
      .flags = external ? kExternal : kInline,
      .tag_bytes = static_cast<std::uint32_t>(tag.size()),
      .data_bytes = static_cast<std::uint32_t>(data_bytes),
  };
  out = PutPadded(out, &header, sizeof(header), crc);
  out = PutPadded(out, tag.data(), tag.size(), crc);
  out = PutPadded(out, shape.data(), shape.size_bytes(), crc);
  const void* data = tensor ? value.tensor.data : value.message.data();
  if (!external) return PutPadded(out, data, data_bytes, crc);
  const ExternalData where{reinterpret_cast<std::uintptr_t>(data), DataBytes(value)};
  return PutPadded(out, &where, sizeof(where), crc);
}

}  // namespace

char* PutEntryValue(char* out, std::string_view tag, const Value& value, bool external,
                    std::uint32_t& crc) {
  if (FormOf(value.kind) == ValueForm::kNumber) {
    PutScalarValue(out, tag, value.scalar);
    const std::size_t size = ScalarValueBytes(tag.size());
    crc = crc32c::Extend(crc, {out, size});
    return out + size;
  }
  return PutTensorOrMessage(out, tag, value, external, crc);
}

Status CheckValue(std::string_view tag, const Value& value) {
  if (!IsValueKind(static_cast<std::uint8_t>(value.kind))) {
    return Status(StatusCode::kInvalidArgument, fmt::format("{}: no such kind of value", tag));
  }
  if (FormOf(value.kind) == ValueForm::kNumber) return {};
  if (!HasTensor(value.kind)) {
    if (value.message.size() <= kMaxMessageBytes) return {};
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{}: a message of {} bytes; at most {} fit into an event", tag,
                              value.message.size(), kMaxMessageBytes));
  }
  SIGHTLINE_RETURN_IF_ERROR(value.tensor.Check().WithContext(tag));
  const DType dtype = value.tensor.dtype;
  if (dtype == DType::kComplex64 || dtype == DType::kComplex128) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{}: {} cannot be recorded; record real and imaginary part", tag,
                              DTypeName(dtype)));
  }
  // An event is one protobuf message. Its float_data takes four bytes for each element, and
  // raw_data may be added.
  if (value.kind == ValueKind::kTensor &&
      value.tensor.ElementCount() * 4 + value.tensor.ByteSize() > kMaxMessageBytes) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format(
            "{}: a tensor of {} elements does not fit into an event of 2 GiB; record a part of it",
            tag, value.tensor.ElementCount()));
  }
  if (value.kind != ValueKind::kImage) return {};
  const auto& shape = value.tensor.shape;
  if (shape.size() != 4 || (shape[1] != 1 && shape[1] != 3) || value.tensor.ElementCount() == 0) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("{}: an image has the shape (batch, 1 or 3 channels, height, width), not ({})",
                    tag, fmt::join(shape, ", ")));
  }
  return {};
}

Status ParseEntry(std::string_view body, bool external_lost, EntryEvent& event) {
  event.values.clear();
  event.lost_values = 0;
  if (body.size() < sizeof(EntryEventHeader)) return Damaged("too short");
  EntryEventHeader header{};
  std::memcpy(&header, body.data(), sizeof(header));
  event.step = header.step;
  event.wall_time = header.wall_time;
  body.remove_prefix(sizeof(header));
  for (std::uint32_t i = 0; i < header.value_count; ++i) {
    EntryValueHeader value{};
    if (body.size() < sizeof(value)) return Damaged("values are missing");
    std::memcpy(&value, body.data(), sizeof(value));
    if (value.size < sizeof(value) || value.size > body.size() ||
        value.size % kEntryAlignment != 0 || !IsValueKind(value.kind)) {
      return Damaged("a value's header makes no sense");
    }
    if (external_lost && (value.flags & kExternal) != 0) {
      ++event.lost_values;
    } else {
      SIGHTLINE_RETURN_IF_ERROR(
          ParseValue(value, body.data() + sizeof(value), event.values.emplace_back()));
    }
    body.remove_prefix(value.size);
  }
  return {};
}

std::optional<std::uint32_t> TensorCrc(std::string_view body, std::uint32_t body_crc,
                                       const EntryEvent& event) {
  if (event.values.size() != 1 || event.lost_values != 0) return {};
  const TensorView& tensor = event.values[0].tensor;
  const std::uint64_t size = tensor.ByteSize();
  // The body must end with the tensor's bytes: they must not be external, nor followed by padding.
  if (event.values[0].kind != ValueKind::kTensor || size < kDerivedCrcBytes || size > body.size() ||
      tensor.data != body.data() + (body.size() - size))
    return {};
  return crc32c::Combine(crc32c::Value(body.substr(0, body.size() - size)), body_crc, size);
}

}  // namespace sightline
