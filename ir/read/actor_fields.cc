#include "sightline/ir/read/actor_fields.h"

#include <algorithm>

#include "sightline/base/trimmed.h"
#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kBlanks = " \t";

std::uint32_t Find(const auto& actors, const auto& key) {
  const auto found = actors.find(key);
  return found == actors.end() ? kNoIndex : found->second;
}

}  // namespace

Field ToField(std::string_view text) {
  text = Trimmed(text, kBlanks);
  Consume(text, "#");
  const std::size_t colon = std::min(text.size(), text.find(':'));
  const std::string_view value = text.substr(std::min(text.size(), colon + 1));
  return {Trimmed(text.substr(0, colon), kBlanks), Trimmed(value, kBlanks)};
}

FieldLine ToFieldLine(std::string_view line) {
  const auto begin = std::min(line.size(), line.find_first_not_of(kBlanks));
  FieldLine parsed{std::ranges::count(line.substr(0, begin), '\t'), {}};
  for (std::string_view rest = Trimmed(line, kBlanks); !rest.empty();) {
    const std::size_t tab = std::min(rest.size(), rest.find('\t'));
    parsed.fields.push_back(ToField(rest.substr(0, tab)));
    rest.remove_prefix(std::min(rest.size(), tab + 1));
  }
  return parsed;
}

bool StartsActor(const FieldLine& line) {
  return !line.fields.empty() && line.fields.front().key == "actor_name";
}

bool NamesActor(std::string_view key) {
  return key.ends_with("actor_name") || key.ends_with("_actor");
}

std::string_view FindField(const Module& module, const Actor& actor, std::string_view key) {
  for (std::uint32_t i = actor.lines.begin; i < actor.lines.end(); ++i) {
    const Field field = ToField(module.texts[TextId{module.lines[i].index}]);
    if (field.key == key) return field.value;
  }
  return {};
}

std::string_view ActorName(const Module& module, const Actor& actor) {
  const std::string_view name = FindField(module, actor, "AID");
  return name.empty() ? module.texts[actor.name] : name;
}

ActorNames::ActorNames(const Module& module) : module_(module) {
  for (std::uint32_t i = 0; i < module.actors.size(); ++i) {
    by_number_.emplace(module.actors[i].number, i);
    by_name_.emplace(module.texts[module.actors[i].name], i);
  }
}

ActorNames::Source ActorNames::Find(const Operand& operand) const {
  if (operand.kind == OperandKind::kNode) return {ir::Find(by_number_, operand.index), {}};
  std::string_view text = module_.texts[TextId{operand.index}];
  if (!Consume(text, "%")) return {};
  std::string_view rest = text;
  const auto number = ConsumeNumber(rest);
  if (number && rest.starts_with('[')) return {ir::Find(by_number_, *number), rest};
  return {ir::Find(by_name_, text), {}};
}

}  // namespace sightline::ir
