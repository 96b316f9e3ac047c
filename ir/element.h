// A module as one list of elements - subgraphs, parameters and nodes - with their properties. Names
// in statements are resolved, and what means nothing is put aside (noise.h), so that two graphs can
// be compared element by element. diff.h compares them.
//
//   TextPool texts;  // Shared by what is compared: equal texts have equal ids.
//   const ElementTable a = ListElements(module_a, flow_a, texts);
//   for (const Property& property : a.PropertiesOf(element)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/ir/dataflow.h"
#include "sightline/ir/module.h"
#include "sightline/ir/text_pool.h"

namespace sightline::ir {

enum class ElementKind : std::uint8_t { kSubgraph, kParameter, kNode };

enum class PropertyKind : std::uint8_t {
  kName,           // None where MindSpore made it up.
  kCallee,         // Of a node: an operator, or the element that is called.
  kCalled,         // A subgraph that a closure may call; one property for each.
  kOperand,        // Of a node, one for each.
  kOperandType,    // Of a node, one for each operand that a type is printed for, ...
  kResultType,     // ... and for each result.
  kOperandDevice,  // The same in kernel graphs: element type, format and shape,
  kResultDevice,
  kOperandObject,  // kind of object,
  kResultObject,
  kOperandSymbols,  // and symbolic shape.
  kResultSymbols,
  kSideEffect,
  kType,   // Of a parameter; so are the next four.
  kShape,  // Of an input of the entry graph.
  kDevice,
  kHasDefault,  // There and empty, or not there.
  kIsWeight,    // The same.
  kParent,      // Of a subgraph: the one whose values it may use.
  kAttribute,   // Of a node or subgraph; the key is "primitive_attrs.strides" or "less_bn".
};

// "input", "type of result", "attribute"
std::string_view Describe(PropertyKind kind);

struct Value {
  enum class Kind : std::uint8_t { kText, kElement };
  Kind kind = Kind::kText;
  std::uint32_t index = 0;  // A TextId of the shared pool, or an element of the table.

  bool operator==(const Value&) const = default;
};

struct Property {
  PropertyKind kind = PropertyKind::kName;
  TextId key = kNoText;        // Of an attribute.
  std::uint32_t position = 0;  // Among those of the same kind and key.
  Value value;

  bool operator==(const Property&) const = default;
};

struct Element {
  ElementKind kind = ElementKind::kNode;
  std::uint32_t owner = kNoIndex;  // The element of its subgraph; none for subgraphs.
  std::uint32_t index = 0;         // In module.subgraphs, module.parameters or module.nodes.
  Range properties;                // By kind, key and position.
  // What tells elements apart without being a property.
  TextId id = kNoText;        // A node's name with its ids.
  bool is_generated = false;  // MindSpore made the name up.
  TextId scope = kNoText;     // Path.
  TextId location = kNoText;  // Innermost source line.
};

struct ElementTable {
  // Subgraphs in the file's order, then parameters, then nodes: those of a subgraph in order.
  std::vector<Element> elements;
  std::vector<Property> properties;
  std::uint32_t first_parameter = 0;
  std::uint32_t first_node = 0;
  std::uint32_t entry = kNoIndex;

  std::span<const Property> PropertiesOf(std::uint32_t element) const {
    const Range range = elements[element].properties;
    return {properties.data() + range.begin, range.size};
  }
};

// Time and memory are in proportion to the module's.
ElementTable ListElements(const Module& module, const Dataflow& flow, TextPool& texts);

}  // namespace sightline::ir
