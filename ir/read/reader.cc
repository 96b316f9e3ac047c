#include "sightline/ir/read/reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/read/actor_reader.h"
#include "sightline/ir/read/dot_reader.h"
#include "sightline/ir/read/graph_reader.h"
#include "sightline/ir/read/proto_reader.h"
#include "sightline/ir/read/read_file.h"
#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/reading/event_reader.h"

namespace sightline::ir {
namespace {

Form FormOf(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of('\n')));
  if (text.starts_with("# =====")) return Form::kFailure;
  if (text.starts_with('[')) return Form::kActorSections;
  if (IsActorHeading(text)) return Form::kActors;
  if (Consume(text, "%") && ConsumeNumber(text) && text.starts_with(" = ")) return Form::kActors;
  return Form::kGraph;
}

bool IsDot(std::string_view bytes) { return bytes.starts_with("digraph "); }
// The version that every ModelProto begins with; no text does.
bool IsModelProto(std::string_view bytes) { return bytes.starts_with('\x08'); }

// kInvalidArgument, naming the line, where one is longer than `limit`. Looks at few bytes.
Status CheckLines(std::string_view text, std::size_t limit) {
  std::size_t begin = 0;
  while (text.size() - begin > limit) {
    const std::size_t newline = text.substr(begin, limit + 1).rfind('\n');
    if (newline == std::string_view::npos) {
      const auto line = 1 + std::count(text.begin(), text.begin() + begin, '\n');
      return Status(StatusCode::kInvalidArgument,
                    "line " + std::to_string(line) + ", column 1: the line is longer than " +
                        std::to_string(limit) + " bytes, so the file is not a dump");
    }
    begin += newline + 1;
  }
  return {};
}

// Whether these are the first bytes of an event file: a length with its checksum.
bool BeginsWithRecord(std::string_view bytes) {
  return bytes.size() >= kRecordHeaderSize && RecordLengthHolds(bytes.data());
}

Result<Module> ReadGraphEvent(std::unique_ptr<ReadableFile> file) {
  EventReader reader(std::move(file), std::nullopt);
  while (reader.Next() == ReadOutcome::kRecord) {
    if (reader.event().kind == EventKind::kGraph && reader.kind() != EventFileKind::kTensorBoard)
      return ParseGraphProto(reader.event().body);
  }
  if (!reader.status().ok()) return Error(reader.status());
  return Error(StatusCode::kNotFound, "the event file has no graph of MindSpore");
}

Result<Module> ReadOpened(std::unique_ptr<ReadableFile> file) {
  std::array<char, kRecordHeaderSize> begin{};
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t begin_size, file->ReadAt(0, begin));
  if (BeginsWithRecord({begin.data(), begin_size})) return ReadGraphEvent(std::move(file));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, ReadAll(*file, kMaxFileBytes));
  return ParseDump(bytes);
}

void Read(Cursor cursor, Module& module) {
  module.form = FormOf(cursor.Rest());
  module.node_attributes.emplace_back();
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
}

}  // namespace

Result<Module> ParseIr(std::string_view text) {
  SIGHTLINE_RETURN_IF_ERROR(CheckSize(text.size(), kMaxFileBytes));
  SIGHTLINE_RETURN_IF_ERROR(CheckLines(text, kMaxLineBytes));
  Module module;
  Read(Cursor(text, module), module);
  return module;
}

Result<Module> ParseDump(std::string_view bytes) {
  SIGHTLINE_RETURN_IF_ERROR(CheckSize(bytes.size(), kMaxFileBytes));
  if (IsDot(bytes)) return ParseDot(bytes);
  if (IsModelProto(bytes)) return ParseModelProto(bytes);
  return ParseIr(bytes);
}

Result<Module> ReadIr(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, files.OpenForRead(path));  // Its errors name the path.
  Result<Module> module = ReadOpened(std::move(file));
  if (!module) return Error(module.error().WithContext(path));
  return module;
}

}  // namespace sightline::ir
