#include "sightline/recorder/message/tensorboard_event.h"

#include <fmt/format.h>

#include "sightline/base/tag.h"
#include "sightline/base/wire.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

// Event: wall_time 1, step 2, file_version 3, summary 5.
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kFileVersion = 3;
constexpr std::uint32_t kSummary = 5;
// Summary: value 1. Summary.Value: tag 1, simple_value 2, metadata 9.
constexpr std::uint32_t kValue = 1;
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kSimpleValue = 2;
constexpr std::uint32_t kMetadata = 9;

bool Is(const Field& field, std::uint32_t number, WireType type) {
  return field.number == number && field.type == type;
}

// The bytes of field `number` if `message` has that field alone.
std::optional<std::string_view> OnlyBytes(std::string_view message, std::uint32_t number) {
  Field field;
  Scanner scan(message);
  if (!scan.Next(field) || !Is(field, number, WireType::kBytes)) return std::nullopt;
  const std::string_view bytes = field.bytes;
  if (scan.Next(field) || scan.malformed()) return std::nullopt;
  return bytes;
}

std::optional<TensorBoardEvent::Scalar> ScalarOf(std::string_view summary) {
  const auto value = OnlyBytes(summary, kValue);
  if (!value) return std::nullopt;
  TensorBoardEvent::Scalar scalar;
  bool has_number = false;
  Field field;
  Scanner scan(*value);
  while (scan.Next(field)) {
    if (Is(field, kTag, WireType::kBytes)) {
      scalar.tag = field.bytes;
    } else if (Is(field, kSimpleValue, WireType::kFixed32)) {
      scalar.value = field.AsFloat();
      has_number = true;
    } else if (!Is(field, kMetadata, WireType::kBytes) || !field.bytes.empty()) {
      return std::nullopt;
    }
  }
  if (scan.malformed() || !has_number || !IsCleanTag(scalar.tag)) return std::nullopt;
  return scalar;
}

bool IsContent(const Field& field) {
  return !Is(field, kWallTime, WireType::kFixed64) && !Is(field, kStep, WireType::kVarint);
}

void AppendField(std::string& out, const Field& field) {
  if (field.type == WireType::kBytes) return wire::AppendBytes(out, field.number, field.bytes);
  wire::AppendKey(out, field.number, field.type);
  if (field.type == WireType::kVarint) return wire::AppendVarint(out, field.number_value);
  if (field.type == WireType::kFixed64) return wire::AppendFixed(out, field.number_value);
  wire::AppendFixed(out, static_cast<std::uint32_t>(field.number_value));
}

// The fields of `serialized`, whose form was checked, that are content.
std::string ContentOf(std::string_view serialized) {
  std::string content;
  content.reserve(serialized.size());
  Field field;
  for (Scanner scan(serialized); scan.Next(field);)
    if (IsContent(field)) AppendField(content, field);
  return content;
}

}  // namespace

Result<TensorBoardEvent> TakeApartTensorBoardEvent(std::string_view serialized) {
  TensorBoardEvent event;
  std::size_t contents = 0;
  std::optional<std::string_view> summary;
  Field field;
  Scanner scan(serialized);
  while (scan.Next(field)) {
    if (IsContent(field)) ++contents;
    if (Is(field, kWallTime, WireType::kFixed64)) event.wall_time = field.AsDouble();
    if (Is(field, kStep, WireType::kVarint)) event.step = field.AsInt64();
    if (Is(field, kFileVersion, WireType::kBytes)) event.is_version = true;
    if (Is(field, kSummary, WireType::kBytes)) summary = field.bytes;
  }
  if (scan.malformed()) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("these {} bytes are not a serialized Event", serialized.size()));
  }
  if (contents == 1 && summary) event.scalar = ScalarOf(*summary);
  if (!event.scalar) event.content = ContentOf(serialized);
  return event;
}

}  // namespace sightline
