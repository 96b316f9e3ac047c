// A dump of MindSpore's intermediate representation (.ir text) in memory. docs/ir.md has the
// grammar, with the words used here.
//
// The file is a sequence of lines, each with a kind; what a line says is in the table of its kind.
// Subgraphs and nodes are ranges of these tables. Everything is named by an index, never by a
// pointer, so that a module can be copied, moved and read from several threads. Texts are interned.
// Types, values and source locations stay texts; type.h, value.h and location.h take them apart.
//
//   const Result<Module> module = ReadIr(FileSystem::Local(), "20_validate_0074.ir");
//   for (const Node& node : module->nodes) count[module->texts[node.callee]]++;
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/text_pool.h"

namespace sightline::ir {

// Elements [begin, begin + size) of one of the module's tables.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::uint32_t end() const { return begin + size; }
};

// What a file is. The ordinary form with all its variants is kGraph.
enum class Form : std::uint8_t {
  kGraph,    // DumpIR: stages, passes, kernel graphs, trace_code_graph; sorted; format 0 and 1.
  kFailure,  // analyze_fail.ir: a report, then the graphs of the evaluation stack.
  kActors,   // actor_set/final_*: one statement an actor.
  kActorSections,  // actor_set/N_*: sections of fields.
};

enum class LineKind : std::uint8_t {
  kBlank,           // index: how many blank lines.
  kUnexplained,     // A text that the grammar does not know; there is a Problem for it.
  kText,            // A text: headings, banners, the failure report, symbol engines.
  kEntry,           // "# IR entry: @", a text.
  kTotalSubgraphs,  // index: the number. "# Total subgraphs: "
  kTotalSubgraph,   // The same in sorted dumps: "# Total subgraph: "
  kTotalParameters,
  kTotalNodes,
  kTotalCnodes,
  kIndirect,
  kAttribute,       // module.attributes; of the file, of the jit configuration or of a subgraph.
  kParameter,       // module.parameters: a parameter of the entry graph.
  kInstance,        // module.attributes: name and address of the subgraph that follows.
  kEngine,          // module.attributes: name and address of its symbol engine.
  kParameterTypes,  // module.type_lines: the types of the subgraph's parameters.
  kSubgraph,        // module.subgraphs
  kSubgraphEnd,     // "}"
  kOrder,           // A text: a line below "# Order:".
  kEvaluated,       // index: position in the stack of evaluation. "#------------------------> "
  kNode,            // module.nodes
  kTypes,           // module.type_lines; so are the next three.
  kDeviceTypes,
  kObjectTypes,
  kSymbolicShapes,
  kFullname,      // A text: the node's scope and its own name.
  kScope,         // A text
  kFailureScope,  // A text: a scope as analyze_fail.ir writes it.
  kSideEffect,    // A text: "memory ", "io ", "load " below a node.
  kSubgraphSideEffect,
  kLocation,          // A text, see location.h; below a node.
  kSubgraphLocation,  // A text; above a subgraph.
  kNote,              // A text: other comments below a node, as "Corresponding code candidate:".
  kActor,             // module.actors
  kSection,           // A text: "[Kernel actors:3]" without brackets.
  kField,             // A text: a line below an actor or in a section.
};

struct Line {
  LineKind kind = LineKind::kBlank;
  std::uint32_t index = 0;
};

// "KEY: VALUE". Without ": " in the file there is a key only.
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

// What follows a node's arguments. Nodes with equal text share it.
struct NodeAttributes {
  Range groups;
};

struct Parameter {
  std::uint32_t number = 0;  // Of "%para3_x". 0 for all of a subgraph in analyze_fail.ir.
  TextId name = kNoText;     // "x"; may be empty.
  TextId type = kNoText;
  TextId shape = kNoText;   // "[2, 4]" of an input of the entry graph.
  TextId device = kNoText;  // "<Float32xDefaultFormat[const vector]{2, 4}>" in kernel graphs.
  bool has_default = false;
  bool is_weight = false;  // Known where there is a device.
};

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
  TextId callee = kNoText;   // As its kind says; "Return" for a Return.
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
  Range controls;  // Operands too: the actors that it waits for.
  bool has_controls = false;
  Range lines;
};

struct Subgraph {
  TextId name = kNoText;
  TextId parent = kNoText;    // The subgraph whose values it may use; empty for none.
  TextId instance = kNoText;  // The address, which tells subgraphs of one name apart.
  Range parameters;           // Of module.parameters; the entry graph's are in the header.
  Range attributes;
  Range nodes;
  std::uint32_t line = 0;  // Of module.lines: "subgraph @...".
};

struct Header {
  TextId entry = kNoText;  // Name of the subgraph that is the whole.
  Range attributes;
  Range jit_config;
  Range parameters;  // Of the entry graph.
  std::optional<std::uint32_t> total_parameters;
  std::optional<std::uint32_t> total_nodes;   // With constants and parameters.
  std::optional<std::uint32_t> total_cnodes;  // Statements of all subgraphs.
};

// Something that the grammar does not explain, or a check that does not hold.
struct Problem {
  std::uint32_t line = 0;    // 1-based, of the file.
  std::uint32_t column = 0;  // 1-based, in bytes.
  std::string message;
};

struct Module {
  Form form = Form::kGraph;
  bool ends_with_newline = true;
  TextPool texts;
  Header header;
  std::vector<Line> lines;
  std::vector<Subgraph> subgraphs;
  std::vector<Node> nodes;
  std::vector<Actor> actors;
  std::vector<Operand> operands;
  std::vector<Parameter> parameters;
  std::vector<Attribute> attributes;
  std::vector<AttributeGroup> attribute_groups;
  std::vector<NodeAttributes> node_attributes;  // The first is that of nodes without any.
  std::vector<TypeLine> type_lines;
  std::vector<TextId> types;
  std::vector<Problem> problems;  // The first kMaxProblems.
  std::uint64_t problem_count = 0;

  static constexpr std::size_t kMaxProblems = 1000;
};

}  // namespace sightline::ir
