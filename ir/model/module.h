// A dump of MindSpore's intermediate representation (.ir text) in memory. docs/ir.md has the
// grammar, with the words used here.
//
// The file is a sequence of lines, each with a kind; the content of a line is in the table of its
// kind. Subgraphs and nodes are ranges of these tables. Everything is named by an index, never by a
// pointer, so that a module can be copied, moved and read from several threads. Each distinct text
// is stored once. Types, values and source locations stay texts; type.h, value.h and location.h
// parse them.
//
//   const Result<Module> module = ReadIr(FileSystem::Local(), "20_validate_0074.ir");
//   for (const Node& node : module->nodes) count[module->texts[node.callee]]++;
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/model/line.h"
#include "sightline/ir/model/node.h"
#include "sightline/ir/model/range.h"
#include "sightline/ir/model/text_pool.h"

namespace sightline::ir {

// The form of a file. The ordinary form with all its variants is kGraph.
enum class Form : std::uint8_t {
  kGraph,    // DumpIR: stages, passes, kernel graphs, trace_code_graph; sorted; format 0 and 1.
  kFailure,  // analyze_fail.ir: a report, then the graphs of the evaluation stack.
  kActors,   // actor_set/final_*: a statement for each actor.
  kActorSections,  // actor_set/N_*: sections of fields.
};

struct Parameter {
  std::uint32_t number = 0;  // Of "%para3_x". 0 for all of a subgraph in analyze_fail.ir.
  TextId name = kNoText;     // "x"; may be empty.
  TextId type = kNoText;
  TextId shape = kNoText;   // "[2, 4]" of an input of the entry graph.
  TextId device = kNoText;  // "<Float32xDefaultFormat[const vector]{2, 4}>" in kernel graphs.
  bool has_default = false;
  bool is_weight = false;  // Known if there is a device.
};

struct Subgraph {
  TextId name = kNoText;
  TextId parent = kNoText;    // The subgraph whose values it may use; empty for none.
  TextId instance = kNoText;  // The address, which distinguishes subgraphs of one name.
  Range parameters;           // Of module.parameters; the entry graph's are in the header.
  Range attributes;
  Range nodes;
  std::uint32_t line = 0;  // Of module.lines: "subgraph @...".
};

struct Header {
  TextId entry = kNoText;  // The name of the entry graph.
  Range attributes;
  Range jit_config;
  Range parameters;  // Of the entry graph.
  std::optional<std::uint32_t> total_parameters;
  std::optional<std::uint32_t> total_nodes;   // With constants and parameters.
  std::optional<std::uint32_t> total_cnodes;  // Statements of all subgraphs.
};

// A line that the grammar does not explain, or a check that failed.
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
