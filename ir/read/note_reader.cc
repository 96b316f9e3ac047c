#include "sightline/ir/read/note_reader.h"

#include "sightline/ir/model/brackets.h"
#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/location.h"

namespace sightline::ir {
namespace {

// "<Float32xDefaultFormat[const vector]{2, 4}>": a type has no "[const vector]" so early.
bool IsDeviceType(std::string_view type) {
  const std::size_t bracket = type.find('[');
  return type.starts_with('<') && bracket != std::string_view::npos &&
         type.substr(bracket).starts_with("[const vector]");
}

bool IsSymbolic(std::string_view type) { return type.starts_with("S:") || type.starts_with("V:"); }

bool IsType(std::string_view type) { return type.starts_with('<') && type.ends_with('>'); }

bool AddList(std::string_view text, Module& module, std::uint32_t& count) {
  ListReader list(text);
  for (std::string_view item; list.Next(item); ++count)
    module.types.push_back(module.texts.Intern(item));
  return list.ok();
}

}  // namespace

LineKind WithType(LineKind kind, std::string_view type) {
  if (kind == LineKind::kSymbolicShapes || kind == LineKind::kDeviceTypes) return kind;
  if (IsSymbolic(type)) return LineKind::kSymbolicShapes;
  if (IsDeviceType(type)) return LineKind::kDeviceTypes;
  return IsType(type) ? kind : LineKind::kObjectTypes;
}

bool AddTypeLine(std::string_view text, Module& module, TypeLine& types) {
  types = {static_cast<std::uint32_t>(module.types.size()), 0, 0, false};
  const std::size_t size = BracketedSize(text);
  bool ok =
      size > 1 && text.front() == '(' && AddList(text.substr(1, size - 2), module, types.inputs);
  if (ok && size < text.size()) {
    std::string_view outputs = text.substr(size);
    types.has_arrow = Consume(outputs, " -> ") && BracketedSize(outputs) == outputs.size() &&
                      outputs.starts_with('(');
    ok = types.has_arrow && AddList(outputs.substr(1, outputs.size() - 2), module, types.outputs);
  }
  if (!ok) module.types.resize(types.begin);
  return ok;
}

Line NoteReader::ExplainTypes(std::string_view text) {
  TypeLine types;
  if (!AddTypeLine(text, module_, types)) return {LineKind::kUnexplained, 0};
  module_.type_lines.push_back(types);
  LineKind kind = LineKind::kTypes;
  for (std::uint32_t i = 0; i < types.inputs + types.outputs; ++i)
    kind = WithType(kind, module_.texts[module_.types[types.begin + i]]);
  return {kind, static_cast<std::uint32_t>(module_.type_lines.size() - 1)};
}

Line NoteReader::ExplainComment(std::string_view comment) {
  if (ParseLocation(comment)) return Text(LineKind::kLocation, comment);
  std::string_view rest = comment;
  if (Consume(rest, "Fullname with scope: (") && ConsumeSuffix(rest, ")"))
    return Text(LineKind::kFullname, rest);
  rest = comment;
  if (Consume(rest, "Scope: (") && ConsumeSuffix(rest, ")")) return Text(LineKind::kScope, rest);
  rest = comment;
  if (Consume(rest, "SideEffect: { ") && ConsumeSuffix(rest, "}"))
    return Text(LineKind::kSideEffect, rest);
  for (const std::string_view note :
       {"Corresponding forward node candidate:", "Corresponding code candidate:", "Comment:"}) {
    if (comment == note) return Text(LineKind::kNote, comment);
  }
  return {LineKind::kUnexplained, 0};
}

Line NoteReader::Explain(std::string_view line) {
  line.remove_prefix(6);
  if (Consume(line, ": ")) return ExplainTypes(line);
  if (Consume(line, "# ")) return ExplainComment(line);
  if (Consume(line, "#scope: (") && ConsumeSuffix(line, ")"))
    return Text(LineKind::kFailureScope, line);
  return {LineKind::kUnexplained, 0};
}

}  // namespace sightline::ir
