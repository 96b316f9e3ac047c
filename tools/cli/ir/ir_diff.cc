#include "sightline/tools/cli/ir/ir_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace sightline {
namespace {

// What changed in the same way at so many elements is said once.
constexpr std::uint32_t kMinRepeats = 4;

using ir::ChangeKind;
using ir::ElementKind;
using ir::PropertyKind;
using Json = nlohmann::ordered_json;

std::array<std::pair<std::string_view, std::uint32_t>, 5> Named(const ir::DiffCounts& counts) {
  return {{{"added", counts.added},
           {"removed", counts.removed},
           {"changed", counts.changed},
           {"moved", counts.moved},
           {"reordered", counts.reordered}}};
}

std::string_view NameOf(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kRemoved:
      return "removed";
    case ChangeKind::kChanged:
      return "changed";
  }
  return {};
}

std::string_view NameOf(ElementKind kind) {
  switch (kind) {
    case ElementKind::kSubgraph:
      return "subgraph";
    case ElementKind::kParameter:
      return "parameter";
    case ElementKind::kNode:
      return "node";
    case ElementKind::kActor:
      return "actor";
  }
  return {};
}

// Those of which an element has several, that their position tells apart.
bool IsNumbered(PropertyKind kind) {
  return kind >= PropertyKind::kCalled && kind <= PropertyKind::kResultSymbols;
}

}  // namespace

std::string ToText(const ir::DiffCounts& counts) {
  std::vector<std::string> texts;
  for (const auto& [name, count] : Named(counts))
    if (count > 0) texts.push_back(fmt::format("{} {}", count, name));
  if (counts.ambiguous > 0) texts.push_back(fmt::format("{} ambiguous", counts.ambiguous));
  return texts.empty() ? "equal" : fmt::format("{}", fmt::join(texts, ", "));
}

Json ToJson(const ir::DiffCounts& counts) {
  Json json;
  for (const auto& [name, count] : Named(counts)) json[std::string(name)] = count;
  json["ambiguous"] = counts.ambiguous;
  return json;
}

const ir::Element& DiffPrinter::ElementOf(const ir::Change& change) const {
  const bool added = change.kind == ChangeKind::kAdded;
  return (added ? diff_.b : diff_.a).elements[change.element];
}

std::string DiffPrinter::Name(const ir::ElementRef& ref) const {
  if (ref.element == ir::kNoIndex) return "none";
  const NodePrinter& printer = ref.added ? printer_b_ : printer_a_;
  const ir::Element& element = (ref.added ? diff_.b : diff_.a).elements[ref.element];
  switch (element.kind) {
    case ElementKind::kSubgraph:
      return printer.Name({ir::SourceKind::kSubgraph, false, element.index});
    case ElementKind::kParameter:
      return printer.Name({ir::SourceKind::kParameter, false, element.index});
    case ElementKind::kNode:
      return printer.Name(element.index);
    case ElementKind::kActor:
      return Printable(diff_.texts[element.id]);
  }
  return {};
}

std::string DiffPrinter::Line(const ir::Change& change) const {
  const bool added = change.kind == ChangeKind::kAdded;
  const ir::Element& element = ElementOf(change);
  std::string line = Name({added, change.element});
  if (element.kind == ElementKind::kActor) return line + BlockOf(change);
  if (element.kind != ElementKind::kNode) return line;
  const NodePrinter& printer = added ? printer_b_ : printer_a_;
  const std::string result = printer.Result(element.index);
  line = line.substr(0, line.find(' ')) + " " + printer.Statement(element.index);
  return result.empty() ? line : line + " -> " + result;
}

// Of an actor: " (Kernel actors)".
std::string DiffPrinter::BlockOf(const ir::Change& change) const {
  const bool added = change.kind == ChangeKind::kAdded;
  for (const ir::Property& property : (added ? diff_.b : diff_.a).PropertiesOf(change.element)) {
    if (property.kind == PropertyKind::kBlock)
      return fmt::format(" ({})", Printable(diff_.texts[ir::TextId{property.value.index}]));
  }
  return {};
}

std::string DiffPrinter::Text(const std::optional<ir::ChangedValue>& value) const {
  if (!value) return "nothing";
  if (value->kind == ir::Value::Kind::kElement) return Name(value->element);
  return value->text == ir::kNoText ? "yes" : Printable(diff_.texts[value->text]);
}

std::string DiffPrinter::Text(const ir::PropertyChange& change) const {
  std::string name(Describe(change.kind));
  if (IsNumbered(change.kind)) name += fmt::format(" {}", change.position);
  if (change.kind == PropertyKind::kAttribute) name += " " + Printable(diff_.texts[change.key]);
  return fmt::format("{}: {} -> {}", name, Text(change.before), Text(change.after));
}

// Of an added or removed subgraph: " with 1 parameter, 3 statements" that come or go with it.
std::string DiffPrinter::Members(const ir::Change& change) const {
  std::uint64_t parameters = 0;
  std::uint64_t statements = 0;
  for (const ir::Change& other : diff_.changes) {
    if (other.kind != change.kind || ElementOf(other).owner != change.element) continue;
    ++(ElementOf(other).kind == ElementKind::kParameter ? parameters : statements);
  }
  return fmt::format(" with {}, {}", Count(parameters, "parameter"),
                     Count(statements, "statement"));
}

bool DiffPrinter::IsFolded(const ir::Change& change) const {
  const std::uint32_t owner = ElementOf(change).owner;
  if (change.kind == ChangeKind::kChanged || owner == ir::kNoIndex) return false;
  if (change.kind == ChangeKind::kRemoved) return diff_.a_to_b[owner] == ir::kNoIndex;
  return change.place && change.place->owner.added;
}

DiffPrinter::Repeats DiffPrinter::FindRepeats() const {
  Repeats repeats;
  for (const ir::Change& change : diff_.changes) {
    if (change.kind != ChangeKind::kChanged) continue;
    for (const ir::PropertyChange& property : change.properties) {
      Repeat& repeat = repeats[Text(property)];
      if (repeat.times++ == 0) repeat.first = &change;
    }
  }
  std::erase_if(repeats, [](const auto& repeat) { return repeat.second.times < kMinRepeats; });
  return repeats;
}

// The most frequent first.
std::string DiffPrinter::ToText(const Style& style, const Repeats& repeats) const {
  std::vector<const Repeats::value_type*> sorted;
  for (const auto& repeat : repeats) sorted.push_back(&repeat);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::tuple(b->second.times, a->second.first, a->first) <
           std::tuple(a->second.times, b->second.first, b->first);
  });
  std::string text;
  for (const auto* repeat : sorted) {
    text += style.Yellow(fmt::format("~ {} times: {}", repeat->second.times, repeat->first)) + "\n";
    text += "    first at " + Line(*repeat->second.first) + "\n";
  }
  return sorted.empty() ? text : text + style.Dim("    (--all lists each)") + "\n";
}

std::string DiffPrinter::ToText(const Style& style, bool all, const ir::Change& change,
                                const Repeats& repeats) const {
  std::string line = Line(change);
  const bool subgraph = ElementOf(change).kind == ElementKind::kSubgraph;
  if (!all && subgraph && change.kind != ChangeKind::kChanged) line += Members(change);
  if (change.ambiguous) line += style.Dim("  (ambiguous: another one would do as well)");
  switch (change.kind) {
    case ChangeKind::kAdded:
      return style.Green("+ " + line) + "\n";
    case ChangeKind::kRemoved:
      return style.Red("- " + line) + "\n";
    case ChangeKind::kChanged:
      break;
  }
  std::string below;
  std::size_t repeated = 0;
  for (const ir::PropertyChange& property : change.properties) {
    const std::string text = Text(property);
    if (repeats.contains(text)) {
      ++repeated;
    } else {
      below += "    " + text + "\n";
    }
  }
  if (change.place) {
    below += change.place->other_subgraph ? "    moved to " + Name(change.place->owner) + "\n"
             : change.place->after.element == ir::kNoIndex
                 ? "    now the first\n"
                 : "    now after " + Name(change.place->after) + "\n";
  }
  if (below.empty()) return {};
  if (repeated > 0) below += fmt::format("    and {} of those above\n", repeated);
  return style.Yellow("~ " + line) + "\n" + below;
}

std::string DiffPrinter::ToText(const Style& style, bool all) const {
  const Repeats repeats = all ? Repeats() : FindRepeats();
  std::string text = ToText(style, repeats);
  for (const ir::Change& change : diff_.changes)
    if (all || !IsFolded(change)) text += ToText(style, all, change, repeats);
  return text;
}

Json DiffPrinter::ToJson(const ir::Change& change) const {
  const bool added = change.kind == ChangeKind::kAdded;
  const ir::Element& element = ElementOf(change);
  Json json = {{"change", NameOf(change.kind)},
               {"element", NameOf(element.kind)},
               {"name", Name({added, change.element})}};
  if (change.kind == ChangeKind::kChanged) json["name_in_b"] = Name({true, change.in_b});
  if (element.kind == ElementKind::kNode)
    json["statement"] = (added ? printer_b_ : printer_a_).Statement(element.index);
  json["ambiguous"] = change.ambiguous;
  const auto value = [&](const std::optional<ir::ChangedValue>& v) {
    return v ? Json(Text(v)) : Json();
  };
  if (change.kind != ChangeKind::kRemoved) json["properties"] = Json::array();
  for (const ir::PropertyChange& property : change.properties) {
    Json entry = {{"property", Describe(property.kind)}};
    if (IsNumbered(property.kind)) entry["position"] = property.position;
    if (property.key != ir::kNoText) entry["key"] = diff_.texts[property.key];
    if (!added) entry["before"] = value(property.before);
    entry["after"] = value(property.after);
    json["properties"].push_back(std::move(entry));
  }
  if (!change.place || element.kind == ElementKind::kSubgraph) return json;
  const bool moved = change.place->other_subgraph;
  if (!added) json[moved ? "moved" : "reordered"] = true;
  if (element.kind != ElementKind::kActor) json["subgraph"] = Name(change.place->owner);
  json["behind"] =
      change.place->after.element == ir::kNoIndex ? Json() : Json(Name(change.place->after));
  return json;
}

Json DiffPrinter::ToJson() const {
  Json json = {{"equal", diff_.equal()},
               {"counts", sightline::ToJson(CountChanges(diff_))},
               {"changes", Json::array()}};
  for (const ir::Change& change : diff_.changes) json["changes"].push_back(ToJson(change));
  return json;
}

}  // namespace sightline
