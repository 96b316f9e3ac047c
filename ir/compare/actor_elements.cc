#include "sightline/ir/compare/actor_elements.h"

#include <string>
#include <utility>

#include "sightline/ir/compare/element_builder.h"
#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/noise.h"
#include "sightline/ir/read/actor_fields.h"

namespace sightline::ir {
namespace {

bool IsAddress(std::string_view key) { return key == "ptr" || key == "device address"; }

class ActorLister : public ElementBuilder {
 public:
  ActorLister(const Module& module, TextPool& texts)
      : ElementBuilder(module, texts), module_(module), names_(module) {}

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

  using ElementBuilder::AddAttribute;

  std::string WithoutNumbers(std::string_view name) {
    WithoutIds(name, buffer_);
    return buffer_;
  }

  const Module& module_;
  ActorNames names_;
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

// "%3[0]" is output 0 of actor 3.
void ActorLister::AddOperand(const Operand& operand, std::uint32_t position) {
  const ActorNames::Source source = names_.Find(operand);
  if (source.actor != kNoIndex) {
    AddElement(PropertyKind::kOperand, source.actor, position);
    if (!source.output.empty())
      AddAttribute("output taken as input " + std::to_string(position), source.output);
  } else if (operand.kind != OperandKind::kNode) {
    AddText(PropertyKind::kOperand, Plain(TextId{operand.index}), position);
  }
}

// The key is the actor that is waited for, so that one more does not change those after it.
void ActorLister::AddControl(const Operand& operand) {
  const std::uint32_t from = names_.Find(operand).actor;
  std::string_view name;
  if (from != kNoIndex) {
    name = ActorName(module_, module_.actors[from]);
  } else if (operand.kind != OperandKind::kNode) {
    name = module_.texts[TextId{operand.index}];
    Consume(name, "%");
  }
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
  StartActor(index, ActorName(module_, actor));
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
  TextId block = kNoText;
  for (const Line& line : module_.lines) {
    if (line.kind == LineKind::kText) block = Name(TextId{line.index});
    if (line.kind == LineKind::kActor) AddFinal(line.index, block);
  }
  return std::move(table());
}

// Two tabs in front: fields of the actor, or a list ("output_data_arrows:1") whose items follow
// with three or more. An item is one text; the actor that it names, if any, is part of its key, so
// that one more does not change those after it.
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
    if (StartsActor(fields)) {
      finish();
      StartActor(i, fields.fields.front().value);
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
