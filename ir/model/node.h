// The statements of a dump: what a node calls, with which operands and attributes. Indices are
// positions in the tables of the Module.
#pragma once

#include <cstdint>

#include "sightline/ir/model/range.h"
#include "sightline/ir/model/text_pool.h"

namespace sightline::ir {

enum class OperandKind : std::uint8_t {
  kNode,       // index: the node's number in the same subgraph, "%3".
  kParameter,  // A text: "para3_x" of "%para3_x".
  kForeign,    // A text: "GRAPH:NAME" of "$(@GRAPH:NAME)", a value of another subgraph.
  kGraph,      // A text: "GRAPH" of "@GRAPH".
  kValue,      // A text, see value.h.
};

struct Operand {
  OperandKind kind = OperandKind::kValue;
  std::uint32_t index = 0;
};

// "KEY: VALUE". If the file has no ": ", there is only a key.
struct Attribute {
  TextId key = kNoText;
  TextId value = kNoText;
  bool has_value = true;
};

// "primitive_attrs: {...}"; the instance name is a group without a name.
struct AttributeGroup {
  TextId name = kNoText;
  Range attributes;
};

// The groups of attributes after a node's arguments. Nodes with the same text share them.
struct NodeAttributes {
  Range groups;
};

// "(inputs) -> (outputs)".
struct TypeLine {
  std::uint32_t begin = 0;  // In module.types: inputs, then outputs.
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  bool has_arrow = false;  // Not below a Return.
};

enum class CalleeKind : std::uint8_t {
  kReturn,
  kPrimitive,  // "Conv2D"
  kMeta,       // "HyperMapPy_hyper_map[add]{...}"
  kCall,       // "call @GRAPH": callee is GRAPH.
  kClosure,    // "%3[@GRAPH]": callee is "3".
  kForeign,    // "$(@GRAPH:NAME)[@GRAPH]": callee is "GRAPH:NAME".
  kParameter,  // "Parameter_12[@GRAPH]": callee is the name.
};

struct Node {
  CalleeKind kind = CalleeKind::kPrimitive;
  std::uint32_t number = 0;  // "%3"; none for a Return.
  TextId name = kNoText;     // "CNode_12"; several nodes may have it.
  TextId callee = kNoText;   // See CalleeKind; "Return" for a Return.
  TextId closure = kNoText;  // "[@GRAPH]" with the brackets: what may be called. Empty: unknown.
  Range operands;
  std::uint32_t attributes = 0;  // module.node_attributes
  Range lines;                   // module.lines below the node's own.
};

// "%3 = NAME(operands) op control(controls)"
struct Actor {
  std::uint32_t number = 0;
  TextId name = kNoText;
  Range operands;
  Range controls;  // Also operands: the actors that it waits for.
  bool has_controls = false;
  Range lines;
};

}  // namespace sightline::ir
