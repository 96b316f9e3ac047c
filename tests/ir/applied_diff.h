// Applies a diff to its first graph, from nothing but that graph and the reported changes.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/ir/compare/diff.h"

namespace sightline::testing {

// A graph whose elements are named as changes name them.
class EditableGraph {
 public:
  using Ref = std::pair<bool, std::uint32_t>;  // As ir::ElementRef.

  explicit EditableGraph(const ir::ElementTable& table) {
    for (std::uint32_t i = 0; i < table.elements.size(); ++i) {
      const ir::Element& element = table.elements[i];
      Item& item = items_[{false, i}];
      item.kind = element.kind;
      item.owner = {false, element.owner};
      for (const ir::Property& property : table.PropertiesOf(i)) {
        const bool text = property.value.kind == ir::Value::Kind::kText;
        item.properties[{property.kind, property.key, property.position}] =
            text
                ? ir::ChangedValue{property.value.kind, ir::TextId{property.value.index}, {}}
                : ir::ChangedValue{property.value.kind, ir::kNoText, {false, property.value.index}};
      }
      lists_[{item.owner, item.kind}].push_back({false, i});
    }
    entry_ = {false, table.entry};
  }

  // `added` is the table that added elements are of: only what kind they are is asked of it.
  void Apply(const std::vector<ir::Change>& changes, const ir::ElementTable& added) {
    std::map<std::pair<List, Ref>, Ref> after;  // What follows an element, or none.
    for (const ir::Change& change : changes) {
      const Ref ref{change.kind == ir::ChangeKind::kAdded, change.element};
      if (change.kind != ir::ChangeKind::kAdded && (change.place || IsRemoved(change)))
        std::erase(lists_[{items_[ref].owner, items_[ref].kind}], ref);
      if (IsRemoved(change)) {
        items_.erase(ref);
        continue;
      }
      Item& item = items_[ref];
      if (ref.first) item.kind = added.elements[change.element].kind;
      for (const ir::PropertyChange& property : change.properties) {
        const Slot slot{property.kind, property.key, property.position};
        if (property.after) {
          item.properties[slot] = *property.after;
        } else {
          item.properties.erase(slot);
        }
      }
      if (!change.place) continue;
      item.owner = {change.place->owner.added, change.place->owner.element};
      const List list{item.owner, item.kind};
      lists_.try_emplace(list);
      if (item.kind == ir::ElementKind::kSubgraph) {
        lists_[list].push_back(ref);
      } else {
        after[{list, {change.place->after.added, change.place->after.element}}] = ref;
      }
    }
    for (auto& [list, items] : lists_) {
      std::vector<Ref> placed;
      const auto follow = [&, &list = list](Ref at) {
        for (auto next = after.find({list, at}); next != after.end();
             next = after.find({list, at})) {
          at = next->second;
          placed.push_back(at);
        }
      };
      follow({false, ir::kNoIndex});
      for (const Ref& item : items) {
        placed.push_back(item);
        follow(item);
      }
      items = placed;
    }
  }

  // The same for graphs that are the same, whatever their elements' numbers are: subgraphs in the
  // order in which they are met from the entry on, then the others.
  std::string Describe() {
    names_.clear();
    subgraphs_.clear();
    Meet(entry_);
    std::size_t next = 0;
    while (next < subgraphs_.size()) MeetThoseIn(subgraphs_[next++]);
    std::string text;
    for (const Ref& subgraph : subgraphs_) {
      text += ToText(subgraph);
      for (const auto kind : {ir::ElementKind::kParameter, ir::ElementKind::kNode})
        for (const Ref& item : lists_[{subgraph, kind}]) text += "  " + ToText(item);
    }
    std::vector<std::string> others;
    for (const auto& [ref, item] : items_)
      if (!names_.contains(ref)) others.push_back("other " + ToText(ref));
    std::sort(others.begin(), others.end());
    for (const std::string& other : others) text += other;
    return text;
  }

 private:
  using Slot = std::tuple<ir::PropertyKind, ir::TextId, std::uint32_t>;
  using List = std::pair<Ref, ir::ElementKind>;
  struct Item {
    ir::ElementKind kind = ir::ElementKind::kNode;
    Ref owner;
    std::map<Slot, ir::ChangedValue> properties;
  };

  static bool IsRemoved(const ir::Change& change) {
    return change.kind == ir::ChangeKind::kRemoved;
  }

  void Meet(Ref ref) {
    if (names_.contains(ref) || !items_.contains(ref)) return;
    if (items_[ref].kind == ir::ElementKind::kSubgraph) {
      names_[ref] = "@" + std::to_string(subgraphs_.size());
      subgraphs_.push_back(ref);
    }
  }
  void MeetThoseIn(Ref subgraph) {
    for (const auto kind : {ir::ElementKind::kParameter, ir::ElementKind::kNode}) {
      const auto& list = lists_[{subgraph, kind}];
      for (std::size_t i = 0; i < list.size(); ++i) {
        names_[list[i]] =
            names_[subgraph] + (kind == ir::ElementKind::kNode ? "%" : "p") + std::to_string(i);
        for (const auto& [slot, value] : items_[list[i]].properties) {
          if (value.kind == ir::Value::Kind::kElement)
            Meet({value.element.added, value.element.element});
        }
      }
    }
  }
  std::string ToText(Ref ref) {
    std::string text = names_.contains(ref) ? names_[ref] : "";
    for (const auto& [slot, value] : items_.at(ref).properties) {
      text += " " + std::to_string(static_cast<int>(std::get<0>(slot))) + "/" +
              std::to_string(static_cast<std::uint32_t>(std::get<1>(slot))) + "/" +
              std::to_string(std::get<2>(slot)) + "=";
      const Ref to{value.element.added, value.element.element};
      text += value.kind == ir::Value::Kind::kText
                  ? std::to_string(static_cast<std::uint32_t>(value.text))
              : names_.contains(to) ? names_[to]
                                    : "?";
    }
    return text + "\n";
  }

  std::map<Ref, Item> items_;
  std::map<List, std::vector<Ref>> lists_;  // In order.
  Ref entry_;
  std::map<Ref, std::string> names_;
  std::vector<Ref> subgraphs_;
};

// Whether A with the changes is B.
inline bool ChangesGiveB(const ir::Diff& diff) {
  EditableGraph graph(diff.a);
  graph.Apply(diff.changes, diff.b);
  return graph.Describe() == EditableGraph(diff.b).Describe();
}

}  // namespace sightline::testing
