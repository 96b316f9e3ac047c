#include "sightline/ir/reader.h"

#include <algorithm>

#include "sightline/ir/actor_reader.h"
#include "sightline/ir/cursor.h"
#include "sightline/ir/graph_reader.h"

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

}  // namespace

Result<Module> ParseIr(std::string_view text) {
  if (text.size() > kMaxFileBytes) {
    return Error(StatusCode::kInvalidArgument, "the text has " + std::to_string(text.size()) +
                                                   " bytes; at most " +
                                                   std::to_string(kMaxFileBytes) + " can be read");
  }
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

Result<Module> ReadIr(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto file, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, file->Size());
  if (size > kMaxFileBytes) {
    return Error(StatusCode::kInvalidArgument, path + " has " + std::to_string(size) +
                                                   " bytes; at most " +
                                                   std::to_string(kMaxFileBytes) + " can be read");
  }
  std::string text(size, '\0');
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t got, file->ReadAt(0, text));
  text.resize(got);
  Result<Module> module = ParseIr(text);
  if (!module) return tl::unexpected<Status>(module.error().WithContext(path));
  return module;
}

}  // namespace sightline::ir
