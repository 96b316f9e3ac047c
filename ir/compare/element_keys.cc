#include "sightline/ir/compare/element_keys.h"

#include "sightline/ir/model/text_hash.h"

namespace sightline::ir {
namespace {

using hash_internal::Mix;

std::uint64_t Combine(std::uint64_t a, std::uint64_t b) { return Mix(Mix(a) ^ (b + 1)); }

std::uint64_t SlotOf(PropertyKind kind, std::uint32_t position) {
  return std::uint64_t{position} << 8 | static_cast<std::uint64_t>(kind);
}

std::uint64_t SlotOf(const Property& property) {
  return Combine(SlotOf(property.kind, property.position),
                 static_cast<std::uint64_t>(property.key));
}

bool IsElement(const Value& value) { return value.kind == Value::Kind::kElement; }

}  // namespace

ElementKeys::ElementKeys(const ElementTable& table) : table_(table) {
  for (Hashes& hashes : keys_) hashes.assign(table.elements.size(), 0);
  ListUses();
  HashContents();
  HashAbove();
  HashBelow();
  HashPlaces();
}

void ElementKeys::ListUses() {
  use_begins_.assign(table_.elements.size() + 1, 0);
  for (const Property& property : table_.properties)
    if (IsElement(property.value)) ++use_begins_[property.value.index + 1];
  for (std::size_t i = 1; i < use_begins_.size(); ++i) use_begins_[i] += use_begins_[i - 1];
  uses_.resize(use_begins_.back());
  std::vector<std::uint32_t> next(use_begins_.begin(), use_begins_.end() - 1);
  for (std::uint32_t i = 0; i < table_.elements.size(); ++i) {
    for (const Property& property : table_.PropertiesOf(i)) {
      if (IsElement(property.value))
        uses_[next[property.value.index]++] = {i, property.kind, property.position};
    }
  }
}

// REQUIRES: those of subgraphs and parameters are known before those of nodes.
std::uint64_t ElementKeys::LabelOf(std::uint32_t element) const {
  const ElementKind kind = table_.elements[element].kind;
  const auto tag = static_cast<std::uint64_t>(kind);
  for (const Property& property : table_.PropertiesOf(element)) {
    const bool node = kind == ElementKind::kNode;
    if (property.kind != (node ? PropertyKind::kCallee : PropertyKind::kName)) continue;
    const std::uint32_t value = property.value.index;
    if (!IsElement(property.value)) return Combine(tag, value);
    // A value of another node has no label yet.
    return Combine(tag + 4, value < table_.first_node ? Get(value, Key::kLabel) : 0);
  }
  return Combine(tag, 0);
}

void ElementKeys::HashContents() {
  Hashes& labels = Keys(Key::kLabel);
  for (std::uint32_t i = 0; i < labels.size(); ++i) labels[i] = LabelOf(i);
  Hashes& contents = Keys(Key::kContent);
  Hashes& own = Keys(Key::kOwn);
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    contents[i] = own[i] = labels[i];
    for (const Property& property : table_.PropertiesOf(i)) {
      const std::uint64_t value = IsElement(property.value) ? labels[property.value.index]
                                                            : std::uint64_t{property.value.index};
      contents[i] = Combine(contents[i], Combine(SlotOf(property), value));
      if (!IsElement(property.value)) own[i] = Combine(own[i], Combine(SlotOf(property), value));
    }
  }
}

bool ElementKeys::IsBelow(std::uint32_t lower, std::uint32_t upper) const {
  return lower > upper && lower >= table_.first_node &&
         table_.elements[lower].owner == table_.elements[upper].owner;
}

// Values of other subgraphs count only with their content, so that a change in one subgraph does
// not change the keys of all.
void ElementKeys::HashAbove() {
  const Hashes& contents = Keys(Key::kContent);
  const Hashes& labels = Keys(Key::kLabel);
  Hashes& above = Keys(Key::kAbove);
  above = contents;
  for (std::uint32_t i = table_.first_parameter; i < above.size(); ++i) {
    const std::uint32_t owner = table_.elements[i].owner;
    if (owner != kNoIndex) above[owner] += Mix(contents[i]);
    if (i < table_.first_node) {
      above[i] = Combine(contents[i], owner == kNoIndex ? 0 : labels[owner]);
      continue;
    }
    for (const Property& property : table_.PropertiesOf(i)) {
      if (!IsElement(property.value)) continue;
      const std::uint32_t from = property.value.index;
      above[i] = Combine(above[i], IsBelow(i, from) ? above[from] : contents[from]);
    }
  }
}

void ElementKeys::HashBelow() {
  const Hashes& contents = Keys(Key::kContent);
  const Hashes& labels = Keys(Key::kLabel);
  Hashes& below = Keys(Key::kBelow);
  for (auto i = static_cast<std::uint32_t>(below.size()); i-- > 0;) {
    std::uint64_t users = 0;
    for (const Use& use : UsesOf(i)) {
      const std::uint64_t user = IsBelow(use.user, i) ? below[use.user] : contents[use.user];
      users += Combine(user, SlotOf(use.kind, use.position));
    }
    // Nothing takes what a Return gives.
    const std::uint32_t owner = table_.elements[i].owner;
    if (UsesOf(i).empty() && owner != kNoIndex) users = labels[owner];
    below[i] = Combine(contents[i], users);
  }
}

void ElementKeys::HashPlaces() {
  const Hashes& contents = Keys(Key::kContent);
  const Hashes& labels = Keys(Key::kLabel);
  for (std::uint32_t i = 0; i < contents.size(); ++i) {
    const Element& element = table_.elements[i];
    const auto id = static_cast<std::uint64_t>(element.id);
    const std::uint64_t place = Combine(static_cast<std::uint64_t>(element.scope),
                                        static_cast<std::uint64_t>(element.location));
    Keys(Key::kAll)[i] = Combine(Keys(Key::kAbove)[i], Keys(Key::kBelow)[i]);
    Keys(Key::kScope)[i] = Combine(labels[i], place);
    Keys(Key::kOwn)[i] = Combine(Keys(Key::kOwn)[i], place);
    if (element.id != kNoText) {
      Keys(Key::kId)[i] = Combine(contents[i], id);
      Keys(Key::kNamed)[i] = Combine(labels[i], id);
      Keys(Key::kName)[i] = id;
    }
    if (element.location != kNoText) Keys(Key::kPlace)[i] = Combine(contents[i], place);
  }
}

}  // namespace sightline::ir
