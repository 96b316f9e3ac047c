// Makes an ElementTable, element by element, from the texts of a module. Private to this folder.
//
//   builder.Start(ElementKind::kNode, index, subgraph);
//   builder.AddText(PropertyKind::kType, builder.Plain(type));
//   builder.Finish();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

class ElementBuilder {
 public:
  // Both must outlive it; `texts` is shared by both graphs.
  ElementBuilder(const Module& module, TextPool& texts);

  void Start(ElementKind kind, std::uint32_t index, std::uint32_t owner);
  void Add(PropertyKind kind, Value value, std::uint32_t position = 0, TextId key = kNoText) {
    table_.properties.push_back({kind, key, position, value});
  }
  void AddElement(PropertyKind kind, std::uint32_t element, std::uint32_t position = 0,
                  TextId key = kNoText) {
    Add(kind, {Value::Kind::kElement, element}, position, key);
  }
  // Does nothing for kNoText.
  void AddText(PropertyKind kind, TextId text, std::uint32_t position = 0);
  // Also one without a value.
  void AddAttribute(TextId key, TextId value) {
    Add(PropertyKind::kAttribute, TextValue(value), 0, key);
  }
  // Sorts the element's properties, and numbers those of one key.
  void Finish();

  static Value TextValue(TextId text) {
    return {Value::Kind::kText, static_cast<std::uint32_t>(text)};
  }

  // The text of the shared pool for one of the module: unchanged; without addresses; without ids.
  TextId Exact(TextId id);
  TextId Plain(TextId id);
  TextId Name(TextId id);

  // The element that was started last.
  Element& last() { return table_.elements.back(); }
  ElementTable& table() { return table_; }
  TextPool& texts() { return texts_; }

 private:
  // By TextId of the module: its text in the shared pool, if it is known.
  using Known = std::vector<TextId>;
  TextId Shared(TextId id, Known& known, void (*strip)(std::string_view, std::string&));

  const Module& module_;
  TextPool& texts_;
  Known exact_;
  Known plain_;
  Known names_;
  std::string buffer_;
  ElementTable table_;
};

}  // namespace sightline::ir
