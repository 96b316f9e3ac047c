#include "sightline/ir/reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "sightline/ir/actor_reader.h"
#include "sightline/ir/cursor.h"
#include "sightline/ir/dot_reader.h"
#include "sightline/ir/graph_reader.h"
#include "sightline/ir/proto_reader.h"
#include "sightline/recorder/crc32c.h"
#include "sightline/recorder/event_reader.h"
#include "sightline/recorder/record_format.h"

namespace sightline::ir {
namespace {

Form FormOf(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of('\n')));
  if (text.starts_with("# =====")) return Form::kFailure;
  if (text.starts_with('[')) return Form::kActorSections;
  if (Consume(text, "%") && ConsumeNumber(text) && text.starts_with(" = ")) return Form::kActors;
  return Form::kGraph;
}

// The number of the first line that is too long, 0 when there is none. Looks at few bytes.
std::size_t TooLongLine(std::string_view text) {
  std::size_t begin = 0;
  while (text.size() - begin > kMaxLineBytes) {
    const std::size_t newline = text.substr(begin, kMaxLineBytes + 1).rfind('\n');
    if (newline == std::string_view::npos) {
      std::size_t lines = 1;
      for (std::size_t at = 0; (at = text.find('\n', at)) < begin; ++at) ++lines;
      return lines;
    }
    begin += newline + 1;
  }
  return 0;
}

Status CheckSize(std::uint64_t size) {
  if (size <= kMaxFileBytes) return {};
  return Status(StatusCode::kInvalidArgument, "there are " + std::to_string(size) +
                                                  " bytes; at most " +
                                                  std::to_string(kMaxFileBytes) + " can be read");
}

// Whether these are the first bytes of an event file: a length with its checksum.
bool BeginsWithRecord(std::string_view bytes) {
  if (bytes.size() < kRecordHeaderSize) return false;
  std::uint32_t masked = 0;
  std::memcpy(&masked, bytes.data() + kRecordLengthSize, sizeof(masked));
  return crc32c::Mask(crc32c::Value(bytes.substr(0, kRecordLengthSize))) == masked;
}

Result<Module> ReadGraphEvent(std::unique_ptr<ReadableFile> file) {
  EventReader reader(std::move(file), std::nullopt);
  while (reader.Next() == ReadOutcome::kRecord) {
    if (reader.event().kind == EventKind::kGraph && reader.kind() != EventFileKind::kTensorBoard)
      return ParseGraphProto(reader.event().body);
  }
  if (!reader.status().ok()) return tl::unexpected<Status>(reader.status());
  return Error(StatusCode::kNotFound, "the event file has no graph of MindSpore's");
}

Result<Module> ReadFile(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto file, files.OpenForRead(path));
  std::array<char, kRecordHeaderSize> begin{};
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t begin_size, file->ReadAt(0, begin));
  if (BeginsWithRecord({begin.data(), begin_size})) return ReadGraphEvent(std::move(file));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, file->Size());
  if (Status status = CheckSize(size); !status.ok()) return tl::unexpected<Status>(status);
  std::string bytes(size, '\0');
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t got, file->ReadAt(0, bytes));
  bytes.resize(got);
  return ParseDump(bytes);
}

}  // namespace

Result<Module> ParseIr(std::string_view text) {
  if (Status status = CheckSize(text.size()); !status.ok()) return tl::unexpected<Status>(status);
  if (const std::size_t line = TooLongLine(text); line > 0) {
    return Error(StatusCode::kInvalidArgument,
                 "line " + std::to_string(line) + ", column 1: the line is longer than " +
                     std::to_string(kMaxLineBytes) + " bytes; this is no dump");
  }
  Module module;
  module.form = FormOf(text);
  module.node_attributes.emplace_back();
  Cursor cursor(text, module);
  switch (module.form) {
    case Form::kGraph:
    case Form::kFailure:
      GraphReader(module, cursor).Read();
      break;
    case Form::kActors:
    case Form::kActorSections:
      ActorReader(module, cursor).Read();
      break;
  }
  module.texts.Compact();
  return module;
}

Result<Module> ParseDump(std::string_view bytes) {
  if (Status status = CheckSize(bytes.size()); !status.ok()) return tl::unexpected<Status>(status);
  if (bytes.starts_with("digraph ")) return ParseDot(bytes);
  // The version that every ModelProto begins with; no text does.
  if (bytes.starts_with('\x08')) return ParseModelProto(bytes);
  return ParseIr(bytes);
}

Result<Module> ReadIr(FileSystem& files, const std::string& path) {
  Result<Module> module = ReadFile(files, path);
  if (!module) return tl::unexpected<Status>(module.error().WithContext(path));
  return module;
}

}  // namespace sightline::ir
