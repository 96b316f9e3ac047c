#include "sightline/ir/read/actor_reader.h"

#include "sightline/ir/model/brackets.h"

namespace sightline::ir {
bool IsActorHeading(std::string_view line) {
  return line.starts_with("Base Block") || line.starts_with("Actor for func graph:");
}

void ActorReader::Read() {
  while (!cursor_.AtEnd()) {
    const std::string_view line = cursor_.Line();
    if (line.empty()) {
      lines_.AddBlankLines(cursor_);
      continue;
    }
    ReadLine(line);
    cursor_.Skip(line.size());
  }
}

void ActorReader::ReadLine(std::string_view line) {
  if (line.front() == '\t' || line.front() == ' ') {
    lines_.AddText(LineKind::kField, line);
    if (attached_) ++module_.actors.back().lines.size;
    return;
  }
  attached_ = line.front() == '%' && ReadActor(line);
  if (attached_) return;
  if (line.front() == '[' && line.back() == ']') {
    lines_.AddText(LineKind::kSection, line.substr(1, line.size() - 2));
  } else if (IsActorHeading(line)) {
    lines_.AddText(LineKind::kText, line);
  } else {
    cursor_.Report(0, "not an actor, section or field of an actor set");
    lines_.AddText(LineKind::kUnexplained, line);
  }
}

// "%3 = kernel_graph0:MatMul-op0(%2[0], %param_w, Bool(0)) op control(%1)"
bool ActorReader::ReadActor(std::string_view line) {
  Actor actor;
  line.remove_prefix(1);
  const auto number = ConsumeNumber(line);
  if (!number || !Consume(line, " = ")) return false;
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos) return false;
  actor.number = *number;
  actor.name = module_.texts.Intern(line.substr(0, open));
  line.remove_prefix(open);
  const std::size_t before = module_.operands.size();
  bool ok = ReadOperands(line, actor.operands);
  if (ok && !line.empty()) {
    actor.has_controls = true;
    ok = Consume(line, " op control") && ReadOperands(line, actor.controls) && line.empty();
  }
  if (!ok) {
    module_.operands.resize(before);
    return false;
  }
  lines_.Add(LineKind::kActor, static_cast<std::uint32_t>(module_.actors.size()));
  actor.lines.begin = static_cast<std::uint32_t>(module_.lines.size());
  module_.actors.push_back(actor);
  return true;
}

// "(%2[0], %param_w)" at the front of `line`.
bool ActorReader::ReadOperands(std::string_view& line, Range& operands) {
  const std::size_t size = BracketedSize(line);
  if (size == 0 || line.front() != '(') return false;
  operands.begin = static_cast<std::uint32_t>(module_.operands.size());
  ListReader list(line.substr(1, size - 2));
  line.remove_prefix(size);
  for (std::string_view text; list.Next(text); ++operands.size) {
    const auto number = text.starts_with('%') ? ParseNumber(text.substr(1)) : std::nullopt;
    module_.operands.push_back(
        number
            ? Operand{OperandKind::kNode, *number}
            : Operand{OperandKind::kValue, static_cast<std::uint32_t>(module_.texts.Intern(text))});
  }
  return list.ok();
}

}  // namespace sightline::ir
