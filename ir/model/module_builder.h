// Builds a module from another source than .ir text. PrintIr prints it as an ordinary dump.
//
//   ModuleBuilder builder({.entry = "f", .subgraphs = 1, .parameters = {{"x", "<null>"}}});
//   builder.StartSubgraph({.name = "f"});
//   const std::uint32_t relu = builder.AddNode({.name = "a", .callee = "ReLU", .operands = {...}});
//   builder.AddNode({.kind = CalleeKind::kReturn, .operands = {builder.NodeOperand(relu)}});
//   builder.EndSubgraph();
//   return std::move(builder).Finish();
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct ParameterSpec {
  std::string name;
  std::string type = "<null>";
  // Of the entry graph only: see Parameter.
  std::string shape = {};
  std::string device = {};
  bool has_default = false;
  bool is_weight = false;
};

struct AttributeSpec {
  std::string key;
  std::string value;
  // For nodes. Successive attributes of one group are printed together.
  std::string group = "primitive_attrs";
};

struct HeaderSpec {
  std::string entry;
  std::uint32_t subgraphs = 0;
  std::vector<ParameterSpec> parameters;  // Of the entry graph: numbers 1, 2, ...
  std::vector<AttributeSpec> attributes = {};
  std::optional<std::uint32_t> total_nodes = {};
};

struct SubgraphSpec {
  std::string name;
  std::string instance;  // Its address; may be empty.
  // None for the entry graph. They are numbered after all that were added before.
  std::vector<ParameterSpec> parameters;
  std::string parent = {};
  std::vector<AttributeSpec> attributes = {};
  std::string side_effect = {};
  std::optional<Location> location = {};
};

// A further line of types below a node: devices, objects or symbolic shapes.
struct SignatureSpec {
  LineKind kind = LineKind::kDeviceTypes;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;  // None of a Return.
};

// A line of text below a node: its scope, a source location, a side effect, a note.
struct NoteSpec {
  LineKind kind = LineKind::kNote;
  std::string text;
};

struct NodeSpec {
  CalleeKind kind = CalleeKind::kPrimitive;
  std::string name;
  std::string callee;   // See CalleeKind; none for a Return.
  std::string closure;  // "[@GRAPH]": what may be called; empty if that is not known.
  std::vector<Operand> operands;
  std::vector<AttributeSpec> attributes;
  // Of the operands, then of the result (a Return has none); empty if types are not known.
  std::vector<std::string> types;
  std::vector<SignatureSpec> signatures;
  std::vector<NoteSpec> notes;
};

class ModuleBuilder {
 public:
  explicit ModuleBuilder(const HeaderSpec& header);

  // Nodes are added between StartSubgraph and EndSubgraph, each after its operands.
  void StartSubgraph(const SubgraphSpec& spec);
  // Returns the node's number in the subgraph.
  std::uint32_t AddNode(const NodeSpec& spec);
  void EndSubgraph();
  Module Finish() &&;

  static Operand NodeOperand(std::uint32_t number) { return {OperandKind::kNode, number}; }
  // Operands: a parameter by its number, "para3_x"; others by a text, see OperandKind.
  Operand TextOperand(OperandKind kind, std::string_view text) {
    return {kind, static_cast<std::uint32_t>(Intern(text))};
  }
  Operand ParameterOperand(std::uint32_t number, std::string_view name) {
    return TextOperand(OperandKind::kParameter,
                       "para" + std::to_string(number) + "_" + std::string(name));
  }
  // The number of the first parameter of the next subgraph.
  std::uint32_t next_parameter() const { return next_parameter_; }

 private:
  TextId Intern(std::string_view text) { return module_.texts.Intern(text); }
  void AddLine(LineKind kind, std::uint32_t index) { module_.lines.push_back({kind, index}); }
  void AddTextLine(LineKind kind, std::string_view text) {
    AddLine(kind, static_cast<std::uint32_t>(Intern(text)));
  }
  // A line of types, the last `outputs` of which follow an arrow.
  void AddTypes(LineKind kind, const std::vector<std::string>& types, std::size_t outputs,
                bool has_arrow);
  Range AddParameters(const std::vector<ParameterSpec>& parameters);
  Range AddAttributeLines(const std::vector<AttributeSpec>& attributes);
  // Of a node: its number in the module's table.
  std::uint32_t AddGroups(const std::vector<AttributeSpec>& attributes);

  Module module_;
  std::uint32_t next_parameter_ = 1;
  std::uint32_t next_node_ = 0;
  std::size_t total_line_ = 0;  // Of the number of statements.
};

}  // namespace sightline::ir
