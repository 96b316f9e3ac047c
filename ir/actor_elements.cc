#include "sightline/ir/actor_elements.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/ir/cursor.h"
#include "sightline/ir/element_builder.h"
#include "sightline/ir/noise.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

struct Field {
  std::string_view key;
  std::string_view value;
};

// "key:value"; "# key : value" of the final set. Blanks around both do not count.
Field ToField(std::string_view text) {
  text = Trimmed(text);
  Consume(text, "#");
  const std::size_t colon = std::min(text.size(), text.find(':'));
  const std::string_view value = text.substr(std::min(text.size(), colon + 1));
  return {Trimmed(text.substr(0, colon)), Trimmed(value)};
}

// The fields of a line, and how many tabs are in front of it.
struct FieldLine {
  std::ptrdiff_t depth = 0;
  std::vector<Field> fields;
};

FieldLine ToFieldLine(std::string_view line) {
  const auto begin = std::min(line.size(), line.find_first_not_of(kBlanks));
  FieldLine parsed{std::ranges::count(line.substr(0, begin), '\t'), {}};
  for (std::string_view rest = Trimmed(line); !rest.empty();) {
    const std::size_t tab = std::min(rest.size(), rest.find('\t'));
    parsed.fields.push_back(ToField(rest.substr(0, tab)));
    rest.remove_prefix(std::min(rest.size(), tab + 1));
  }
  return parsed;
}

bool IsAddress(std::string_view key) { return key == "ptr" || key == "device address"; }

// Whether the field's value is the name of an actor.
bool NamesActor(std::string_view key) {
  return key.ends_with("actor_name") || key.ends_with("_actor");
}

class ActorLister : public ElementBuilder {
 public:
  ActorLister(const Module& module, TextPool& texts)
      : ElementBuilder(module, texts), module_(module) {}

  ElementTable ListFinal();
  ElementTable ListSections();

 private:
  void StartActor(std::uint32_t index, std::string_view name);
  void AddFinal(std::uint32_t index, TextId block);
  void AddOperand(const Operand& operand, std::uint32_t position);
  void AddControl(const Operand& operand);
  void AddFinalField(std::string_view line);
  void AddSectionFields(const FieldLine& line);
  void AddAttribute(std::string_view key, std::string_view value);
  std::string_view NameOf(const Actor& actor) const;
  // The element that a number or a name is of; kNoIndex for none.
  std::uint32_t Find(std::uint32_t number) const;
  std::uint32_t Find(std::string_view name) const;

  using ElementBuilder::AddAttribute;

  std::string WithoutNumbers(std::string_view name) {
    WithoutIds(name, buffer_);
    return buffer_;
  }

  const Module& module_;
  std::unordered_map<std::uint32_t, std::uint32_t> by_number_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
  std::string group_;  // The field that those at hand are below.
  std::string buffer_;
};

void ActorLister::StartActor(std::uint32_t index, std::string_view name) {
  Start(ElementKind::kActor, index, kNoIndex);
  last().id = texts().Intern(name);
  AddText(PropertyKind::kName, texts().Intern(WithoutNumbers(name)));
}

// Addresses differ in each run.
void ActorLister::AddAttribute(std::string_view key, std::string_view value) {
  if (IsAddress(key)) return;
  const TextId key_id = texts().Intern(key);
  WithoutAddresses(value, buffer_);
  AddAttribute(key_id, texts().Intern(buffer_));
}

// The name that other forms know it by: "0_Default/f-Dense/MatMul-op0" of "MatMul-op0".
std::string_view ActorLister::NameOf(const Actor& actor) const {
  for (std::uint32_t i = actor.lines.begin; i < actor.lines.end(); ++i) {
    const Field field = ToField(module_.texts[TextId{module_.lines[i].index}]);
    if (field.key == "AID" && !field.value.empty()) return field.value;
  }
  return module_.texts[actor.name];
}

std::uint32_t ActorLister::Find(std::uint32_t number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? kNoIndex : found->second;
}
std::uint32_t ActorLister::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNoIndex : found->second;
}

// "%3[0]" is output 0 of actor 3.
void ActorLister::AddOperand(const Operand& operand, std::uint32_t position) {
  if (operand.kind == OperandKind::kNode) {
    const std::uint32_t from = Find(operand.index);
    if (from != kNoIndex) AddElement(PropertyKind::kOperand, from, position);
    return;
  }
  const std::string_view text = module_.texts[TextId{operand.index}];
  std::string_view rest = text;
  const auto number = Consume(rest, "%") ? ConsumeNumber(rest) : std::nullopt;
  const std::uint32_t from = number && rest.starts_with('[') ? Find(*number) : kNoIndex;
  if (from == kNoIndex)
    return AddText(PropertyKind::kOperand, Plain(TextId{operand.index}), position);
  AddElement(PropertyKind::kOperand, from, position);
  AddAttribute("output taken as input " + std::to_string(position), rest);
}

// "%3", or "%NAME" of one that stands below. Which it is, is the key, so that another one more does
// not change those behind it.
void ActorLister::AddControl(const Operand& operand) {
  const bool numbered = operand.kind == OperandKind::kNode;
  std::string_view name = numbered ? "" : module_.texts[TextId{operand.index}];
  Consume(name, "%");
  const std::uint32_t from = numbered ? Find(operand.index) : Find(name);
  if (from != kNoIndex) name = NameOf(module_.actors[from]);
  const TextId key = texts().Intern(WithoutNumbers(name));
  if (from == kNoIndex) {
    Add(PropertyKind::kControl, TextValue(key), 0, key);
  } else {
    AddElement(PropertyKind::kControl, from, 0, key);
  }
}

void ActorLister::AddFinalField(std::string_view line) {
  const Field field = ToField(line);
  if (field.key != "AID") AddAttribute(field.key, field.value);
}

void ActorLister::AddFinal(std::uint32_t index, TextId block) {
  const Actor& actor = module_.actors[index];
  StartActor(index, NameOf(actor));
  AddText(PropertyKind::kCallee, Name(actor.name));
  AddText(PropertyKind::kBlock, block);
  for (std::uint32_t i = 0; i < actor.operands.size; ++i)
    AddOperand(module_.operands[actor.operands.begin + i], i);
  for (std::uint32_t i = actor.controls.begin; i < actor.controls.end(); ++i)
    AddControl(module_.operands[i]);
  for (std::uint32_t i = actor.lines.begin; i < actor.lines.end(); ++i)
    AddFinalField(module_.texts[TextId{module_.lines[i].index}]);
  Finish();
}

ElementTable ActorLister::ListFinal() {
  for (std::uint32_t i = 0; i < module_.actors.size(); ++i) {
    by_number_.emplace(module_.actors[i].number, i);
    by_name_.emplace(module_.texts[module_.actors[i].name], i);
  }
  TextId block = kNoText;
  for (const Line& line : module_.lines) {
    if (line.kind == LineKind::kText) block = Name(TextId{line.index});
    if (line.kind == LineKind::kActor) AddFinal(line.index, block);
  }
  return std::move(table());
}

// Two tabs in front: fields of the actor, or a list ("output_data_arrows:1") whose items follow
// with three or more. An item is one text; the actor that it names, if any, is part of its key, so
// that one more does not change those behind it.
void ActorLister::AddSectionFields(const FieldLine& line) {
  if (line.depth == 2) group_ = line.fields.front().key;
  const bool begins_list =
      line.depth == 2 && line.fields.size() == 1 && ParseNumber(line.fields.front().value);
  if (begins_list) return;
  std::string key = group_;
  std::string item;
  for (const Field& field : line.fields) {
    if (field.key == "actor_name" || field.key == "actor_id" || IsAddress(field.key)) continue;
    const bool has_ids = NamesActor(field.key) || field.value.find('@') != std::string_view::npos;
    const std::string value = has_ids ? WithoutNumbers(field.value) : std::string(field.value);
    if (line.depth <= 2) {
      AddAttribute(field.key, value);
    } else if (NamesActor(field.key)) {
      key += "." + std::string(field.key) + "." + value;
    } else {
      item += (item.empty() ? "" : ", ") + std::string(field.key) + ":" + value;
    }
  }
  if (line.depth > 2) AddAttribute(key, item);
}

ElementTable ActorLister::ListSections() {
  TextId section = kNoText;
  bool in_actor = false;
  const auto finish = [&] {
    if (in_actor) Finish();
    in_actor = false;
  };
  for (std::uint32_t i = 0; i < module_.lines.size(); ++i) {
    const Line& line = module_.lines[i];
    if (line.kind != LineKind::kSection && line.kind != LineKind::kField) continue;
    const std::string_view text = module_.texts[TextId{line.index}];
    if (line.kind == LineKind::kSection) {
      finish();
      section = texts().Intern(text.substr(0, text.find(':')));
      continue;
    }
    const FieldLine fields = ToFieldLine(text);
    if (fields.fields.empty()) continue;
    if (const Field& first = fields.fields.front(); first.key == "actor_name") {
      finish();
      StartActor(i, first.value);
      AddText(PropertyKind::kBlock, section);
      in_actor = true;
      group_.clear();
    }
    if (in_actor) AddSectionFields(fields);
  }
  finish();
  return std::move(table());
}

}  // namespace

ElementTable ListActorElements(const Module& module, TextPool& texts) {
  ActorLister lister(module, texts);
  return module.form == Form::kActors ? lister.ListFinal() : lister.ListSections();
}

}  // namespace sightline::ir
