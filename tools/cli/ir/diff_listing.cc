#include "sightline/tools/cli/ir/diff_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace sightline {
namespace {

// A change that occurs in the same way at this many elements is listed once.
constexpr std::uint32_t kMinRepeats = 4;

using ir::ChangeKind;
using ir::ElementKind;
using ir::PropertyKind;

class Listing {
 public:
  Listing(const ir::DiffText& text, const Style& style, bool all)
      : text_(text), diff_(text.diff()), style_(style), all_(all) {
    if (!all) FindRepeats();
  }

  std::string ToText() const {
    std::string text = RepeatsToText();
    for (const ir::Change& change : diff_.changes)
      if (all_ || !IsFolded(change)) text += ToText(change);
    return text;
  }

 private:
  // A change that occurs in the same way at several elements: "attribute x: nothing -> 1".
  struct Repeat {
    std::uint32_t times = 0;
    const ir::Change* first = nullptr;
  };
  using Repeats = std::unordered_map<std::string, Repeat>;  // By PropertyText.

  void FindRepeats();
  std::string RepeatsToText() const;
  std::string ToText(const ir::Change& change) const;

  // Whether the change is in a subgraph that was added or removed as a whole.
  bool IsFolded(const ir::Change& change) const;
  // Of an added or removed subgraph: " with 1 parameter, 3 statements".
  std::string Members(const ir::Change& change) const;
  // Of an actor: " (Kernel actors)".
  std::string Block(const ir::Change& change) const;
  // The element with its statement or type.
  std::string Line(const ir::Change& change) const;
  std::string ValueText(const std::optional<ir::ChangedValue>& value) const {
    return value ? text_.Value(*value) : "nothing";
  }
  std::string PropertyText(const ir::PropertyChange& change) const;
  std::string PlaceText(const ir::NewPlace& place) const;

  const ir::DiffText& text_;
  const ir::Diff& diff_;
  const Style& style_;
  const bool all_;
  Repeats repeats_;
};

std::string Listing::Line(const ir::Change& change) const {
  const ir::Element& element = text_.ElementOf(change);
  std::string name = text_.Name(change);
  if (element.kind == ElementKind::kActor) return name + Block(change);
  if (element.kind != ElementKind::kNode) return name;
  const ir::NodeText& nodes = text_.NodesOf(change);
  const std::string subgraph = name.substr(0, name.find(' '));
  const std::string line = subgraph + " " + nodes.Statement(element.index);
  const std::string result = nodes.Result(element.index);
  return result.empty() ? line : line + " -> " + result;
}

std::string Listing::Block(const ir::Change& change) const {
  const bool added = change.kind == ChangeKind::kAdded;
  for (const ir::Property& property : (added ? diff_.b : diff_.a).PropertiesOf(change.element)) {
    if (property.kind == PropertyKind::kBlock)
      return fmt::format(" ({})", Printable(diff_.texts[ir::TextId{property.value.index}]));
  }
  return {};
}

std::string Listing::PropertyText(const ir::PropertyChange& change) const {
  std::string name(Describe(change.kind));
  if (IsNumbered(change.kind)) name += fmt::format(" {}", change.position);
  if (change.kind == PropertyKind::kAttribute) name += " " + Printable(diff_.texts[change.key]);
  return fmt::format("{}: {} -> {}", name, ValueText(change.before), ValueText(change.after));
}

std::string Listing::PlaceText(const ir::NewPlace& place) const {
  if (place.other_subgraph) return "moved to " + text_.Name(place.owner);
  if (place.after.element == ir::kNoIndex) return "now the first";
  return "now after " + text_.Name(place.after);
}

std::string Listing::Members(const ir::Change& change) const {
  std::uint64_t parameters = 0;
  std::uint64_t statements = 0;
  for (const ir::Change& other : diff_.changes) {
    const ir::Element& element = text_.ElementOf(other);
    if (other.kind != change.kind || element.owner != change.element) continue;
    ++(element.kind == ElementKind::kParameter ? parameters : statements);
  }
  return fmt::format(" with {}, {}", Count(parameters, "parameter"),
                     Count(statements, "statement"));
}

bool Listing::IsFolded(const ir::Change& change) const {
  const std::uint32_t owner = text_.ElementOf(change).owner;
  if (change.kind == ChangeKind::kChanged || owner == ir::kNoIndex) return false;
  if (change.kind == ChangeKind::kRemoved) return diff_.a_to_b[owner] == ir::kNoIndex;
  return change.place && change.place->owner.added;
}

void Listing::FindRepeats() {
  for (const ir::Change& change : diff_.changes) {
    if (change.kind != ChangeKind::kChanged) continue;
    for (const ir::PropertyChange& property : change.properties) {
      Repeat& repeat = repeats_[PropertyText(property)];
      if (repeat.times++ == 0) repeat.first = &change;
    }
  }
  std::erase_if(repeats_, [](const auto& repeat) { return repeat.second.times < kMinRepeats; });
}

// The most frequent first.
std::string Listing::RepeatsToText() const {
  std::vector<const Repeats::value_type*> sorted;
  for (const auto& repeat : repeats_) sorted.push_back(&repeat);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::tuple(b->second.times, a->second.first, a->first) <
           std::tuple(a->second.times, b->second.first, b->first);
  });
  std::string text;
  for (const auto* repeat : sorted) {
    text +=
        style_.Yellow(fmt::format("~ {} times: {}", repeat->second.times, repeat->first)) + "\n";
    text += "    first at " + Line(*repeat->second.first) + "\n";
  }
  return sorted.empty() ? text : text + style_.Dim("    (--all lists each)") + "\n";
}

std::string Listing::ToText(const ir::Change& change) const {
  std::string line = Line(change);
  const bool subgraph = text_.ElementOf(change).kind == ElementKind::kSubgraph;
  if (!all_ && subgraph && change.kind != ChangeKind::kChanged) line += Members(change);
  if (change.ambiguous) line += style_.Dim("  (ambiguous: another one would do as well)");
  switch (change.kind) {
    case ChangeKind::kAdded:
      return style_.Green("+ " + line) + "\n";
    case ChangeKind::kRemoved:
      return style_.Red("- " + line) + "\n";
    case ChangeKind::kChanged:
      break;
  }
  std::string below;
  std::size_t repeated = 0;
  for (const ir::PropertyChange& property : change.properties) {
    const std::string text = PropertyText(property);
    if (repeats_.contains(text)) {
      ++repeated;
    } else {
      below += "    " + text + "\n";
    }
  }
  if (change.place) below += "    " + PlaceText(*change.place) + "\n";
  if (below.empty()) return {};
  if (repeated > 0) below += fmt::format("    and {} of those above\n", repeated);
  return style_.Yellow("~ " + line) + "\n" + below;
}

}  // namespace

std::string ToText(const ir::DiffCounts& counts) {
  std::vector<std::string> texts;
  for (const auto& [name, count] : ir::NamedCounts(counts))
    if (count > 0) texts.push_back(fmt::format("{} {}", count, name));
  if (counts.ambiguous > 0) texts.push_back(fmt::format("{} ambiguous", counts.ambiguous));
  return texts.empty() ? "equal" : fmt::format("{}", fmt::join(texts, ", "));
}

std::string ListChanges(const ir::DiffText& diff, const Style& style, bool all) {
  return Listing(diff, style, all).ToText();
}

}  // namespace sightline
