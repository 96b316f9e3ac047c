// Lists the elements of a module - subgraphs, parameters and nodes, or actors - with their
// properties. Names in statements are resolved, and noise is removed (noise.h), so that diff.h can
// compare two graphs element by element.
//
//   TextPool texts;  // Shared by both graphs, so that equal texts have equal ids.
//   const ElementTable a = ListElements(module_a, texts);
//   for (const Property& property : a.PropertiesOf(element)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/model/text_pool.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

enum class ElementKind : std::uint8_t {
  kSubgraph,
  kParameter,
  kNode,
  kActor,  // Of an actor set, which has nothing else.
};

enum class PropertyKind : std::uint8_t {
  kName,         // None if MindSpore made it up.
  kCallee,       // Of a node: an operator, or the element that is called. Of an actor: the kernel.
  kCalled,       // A subgraph that a closure may call; one property for each.
  kOperand,      // A node or actor has one for each operand.
  kOperandType,  // A node has one for each operand whose type is printed, ...
  kResultType,   // ... and for each result.
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
  kHasDefault,  // Present without a value, or absent.
  kIsWeight,    // The same.
  kParent,      // Of a subgraph: the one whose values it may use.
  kControl,     // Of an actor: one that it waits for; the key is its name without ids.
  kBlock,       // Of an actor: the section or the block that it is in.
  // Of a node, subgraph or actor; the key is "primitive_attrs.strides", "less_bn",
  // "device_context".
  kAttribute,
};

// "input", "type of result", "attribute"
std::string_view Describe(PropertyKind kind);

// Whether an element may have several properties of the kind, which only Property::position
// distinguishes.
bool IsNumbered(PropertyKind kind);

struct Value {
  enum class Kind : std::uint8_t { kText, kElement };
  Kind kind = Kind::kText;
  std::uint32_t index = 0;  // A TextId of the shared pool, or an element of the table.

  bool operator==(const Value&) const = default;
};

struct Property {
  PropertyKind kind = PropertyKind::kName;
  TextId key = kNoText;        // Of an attribute or a control.
  std::uint32_t position = 0;  // Among those of the same kind and key.
  Value value;

  bool operator==(const Property&) const = default;
};

struct Element {
  ElementKind kind = ElementKind::kNode;
  std::uint32_t owner = kNoIndex;  // The element of its subgraph; none for subgraphs and actors.
  // In module.subgraphs, parameters, nodes or actors; of an actor in sections, in module.lines.
  std::uint32_t index = 0;
  Range properties;  // By kind, key and position.
  // The rest may distinguish elements, but is not compared.
  TextId id = kNoText;        // A node's or actor's name with its ids.
  bool is_generated = false;  // MindSpore made the name up.
  TextId scope = kNoText;     // Path.
  TextId location = kNoText;  // Innermost source line.
};

struct ElementTable {
  // Subgraphs in the file's order, then parameters, then nodes, those of a subgraph in order.
  // Actors are in the place of nodes.
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

// Time and memory are in proportion to the size of the module.
ElementTable ListElements(const Module& module, TextPool& texts);

}  // namespace sightline::ir
