#include "sightline/ir/read/actor_graph.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/ir/model/brackets.h"
#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/module_builder.h"
#include "sightline/ir/read/actor_fields.h"

namespace sightline::ir {
namespace {

constexpr char kEntry[] = "actors";
constexpr char kUnknownType[] = "<null>";
constexpr char kControlType[] = "<UMonad>";

// What an actor takes: the value of another one, of a parameter, or a constant.
struct Input {
  enum class Kind : std::uint8_t { kActor, kParameter, kConstant } kind = Kind::kActor;
  std::uint32_t actor = kNoIndex;
  std::string_view text = {};
  std::string type = kUnknownType;
};

struct ActorNode {
  std::string_view name;   // "0_Default/f-Dense/MatMul-op0"
  std::string_view group;  // The block or the fusion that it is in; may be empty.
  std::vector<Input> inputs;
  std::vector<std::uint32_t> controls;  // Actors that it waits for.
  std::string result = kUnknownType;
};

// "Default/f-Dense/MatMul-op0" of "0_Default/f-Dense/MatMul-op0", which counts kernels.
std::string_view KernelPath(std::string_view name) {
  std::string_view path = name;
  return ConsumeNumber(path) && Consume(path, "_") ? path : name;
}

// "MatMul" of "0_Default/f-Dense/MatMul-op0", "OutputActor" of "kernel_graph_0_OutputActor".
std::string_view OperatorOf(std::string_view name) {
  if (name.ends_with("Actor")) return name.substr(name.rfind('_') + 1);
  name = name.substr(name.find_last_of("/:") + 1);
  return name.substr(0, name.rfind("-op"));
}

// The texts of "<a> <b>".
std::vector<std::string_view> BracketedTexts(std::string_view text) {
  std::vector<std::string_view> texts;
  while (const std::size_t size = BracketedSize(text)) {
    texts.push_back(text.substr(0, size));
    text.remove_prefix(size);
    Consume(text, " ");
  }
  return texts;
}

// "<Tensor[Float32], (2, 4)>" of "<Tensor[Float32]>" and "<(2, 4)>".
std::string TypeText(std::string_view type, std::string_view shape) {
  type.remove_suffix(1);
  shape.remove_prefix(1);
  return std::string(type) + ", " + std::string(shape);
}

// The types of the inputs and results of an actor of a final set, as far as its two lines have
// them.
struct ActorTypes {
  std::vector<std::string> inputs;
  std::vector<std::string> results;
};

ActorTypes TypesOf(const Module& set, const Actor& actor) {
  constexpr std::string_view kArrow = "-> ";
  const std::string_view types = FindField(set, actor, "type");
  const std::string_view shapes = FindField(set, actor, "shape");
  const auto join = [](std::string_view type_text, std::string_view shape_text) {
    const auto names = BracketedTexts(type_text);
    const auto sizes = BracketedTexts(shape_text);
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i)
      joined.push_back(TypeText(names[i], sizes[i]));
    return joined;
  };
  const auto behind = [&](std::string_view text) {
    const std::size_t arrow = text.find(kArrow);
    return arrow == std::string_view::npos ? std::string_view()
                                           : text.substr(arrow + kArrow.size());
  };
  return {join(types, shapes), join(behind(types), behind(shapes))};
}

std::vector<ActorNode> NodesOfFinalSet(const Module& set) {
  const ActorNames names(set);
  std::vector<ActorNode> nodes;
  std::string_view block;
  for (const Line& line : set.lines) {
    if (line.kind == LineKind::kText) block = ToField(set.texts[TextId{line.index}]).value;
    if (line.kind != LineKind::kActor) continue;
    const Actor& actor = set.actors[line.index];
    ActorNode node{ActorName(set, actor), block, {}, {}};
    ActorTypes types = TypesOf(set, actor);
    types.inputs.resize(actor.operands.size, kUnknownType);
    for (std::uint32_t i = 0; i < actor.operands.size; ++i) {
      const Operand& operand = set.operands[actor.operands.begin + i];
      Input input{.type = types.inputs[i]};
      input.actor = names.Find(operand).actor;
      if (input.actor == kNoIndex) {
        if (operand.kind == OperandKind::kNode) continue;
        input.text = set.texts[TextId{operand.index}];
        Consume(input.text, "%");
        input.kind =
            Consume(input.text, "param_") ? Input::Kind::kParameter : Input::Kind::kConstant;
      }
      node.inputs.push_back(std::move(input));
    }
    for (std::uint32_t i = actor.controls.begin; i < actor.controls.end(); ++i) {
      const std::uint32_t from = names.Find(set.operands[i]).actor;
      if (from != kNoIndex) node.controls.push_back(from);
    }
    if (types.results.size() == 1) node.result = types.results.front();
    nodes.push_back(std::move(node));
  }
  return nodes;
}

// An arrow is printed below one of its actors, or below both.
class SectionReader {
 public:
  explicit SectionReader(const Module& set) : set_(set) {}

  std::vector<ActorNode> Read() {
    for (const Line& line : set_.lines)
      if (line.kind == LineKind::kField) AddLine(ToFieldLine(set_.texts[TextId{line.index}]));
    AddArrows();
    return std::move(nodes_);
  }

 private:
  // By the actor that it leads to, and where: order is that of the inputs.
  struct Arrow {
    std::string_view to;
    bool control = false;
    std::uint32_t input = 0;
    std::string_view from;
    std::string_view output;
    auto Key() const { return std::tie(to, control, input, from, output); }
  };

  void AddLine(const FieldLine& line) {
    if (line.fields.empty()) return;
    const Field& first = line.fields.front();
    if (StartsActor(line)) {
      by_name_.emplace(first.value, static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({first.value, {}, {}, {}});
    }
    if (nodes_.empty() || line.depth < 2) return;
    if (line.depth == 2) list_ = first.key;
    if (first.key == "parent_fusion_actor") nodes_.back().group = first.value;
    if (first.key == "sub actors") nodes_.back().group = nodes_.back().name;
    if (line.depth > 2) AddItem(line);
  }

  // "from_output_index:0 to_actor_name:NAME to_input_index:0"
  void AddItem(const FieldLine& line) {
    Arrow arrow;
    arrow.control = list_.find("control") != std::string_view::npos;
    for (const Field& field : line.fields) {
      if (field.key.starts_with("to_") && NamesActor(field.key)) arrow.to = field.value;
      if (field.key.starts_with("from_") && NamesActor(field.key)) arrow.from = field.value;
      if (field.key == "to_input_index") arrow.input = ParseNumber(field.value).value_or(0);
      if (field.key == "from_output_index") arrow.output = field.value;
    }
    if (arrow.to.empty() == arrow.from.empty()) return;
    (arrow.to.empty() ? arrow.to : arrow.from) = nodes_.back().name;
    arrows_.push_back(arrow);
  }

  void AddArrows() {
    std::sort(arrows_.begin(), arrows_.end(),
              [](const Arrow& a, const Arrow& b) { return a.Key() < b.Key(); });
    arrows_.erase(std::unique(arrows_.begin(), arrows_.end(),
                              [](const Arrow& a, const Arrow& b) { return a.Key() == b.Key(); }),
                  arrows_.end());
    for (const Arrow& arrow : arrows_) {
      const auto from = by_name_.find(arrow.from);
      const auto to = by_name_.find(arrow.to);
      if (from == by_name_.end() || to == by_name_.end()) continue;
      ActorNode& node = nodes_[to->second];
      if (arrow.control) {
        node.controls.push_back(from->second);
      } else {
        node.inputs.push_back({.actor = from->second});
      }
    }
  }

  const Module& set_;
  std::vector<ActorNode> nodes_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
  std::string_view list_;  // The field that those at hand are below.
  std::vector<Arrow> arrows_;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::vector<ActorNode> nodes)
      : nodes_(std::move(nodes)),
        parameters_(ParametersOf(nodes_)),
        builder_({kEntry, 1, parameters_}) {
    for (std::uint32_t i = 0; i < parameters_.size(); ++i)
      parameter_numbers_.emplace(parameters_[i].name, i + 1);
  }

  Module Build() && {
    AddNames();
    builder_.StartSubgraph({kEntry, {}, {}});
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) AddNode(i);
    builder_.EndSubgraph();
    return std::move(builder_).Finish();
  }

 private:
  static std::vector<ParameterSpec> ParametersOf(const std::vector<ActorNode>& nodes) {
    std::vector<ParameterSpec> parameters;
    std::unordered_map<std::string_view, std::size_t> known;
    for (const ActorNode& node : nodes) {
      for (const Input& input : node.inputs) {
        if (input.kind == Input::Kind::kParameter &&
            known.emplace(input.text, parameters.size()).second)
          parameters.push_back({std::string(input.text), input.type});
      }
    }
    return parameters;
  }

  // An operand names its actor, which may follow later. A repeated name gets a number.
  void AddNames() {
    std::unordered_map<std::string_view, std::uint32_t> uses;
    for (const ActorNode& node : nodes_) {
      const std::uint32_t before = uses[node.name]++;
      names_.push_back(std::string(node.name) +
                       (before == 0 ? "" : "$" + std::to_string(before + 1)));
    }
  }

  void AddNode(std::uint32_t index) {
    const ActorNode& node = nodes_[index];
    NodeSpec spec;
    spec.name = names_[index];
    spec.callee = OperatorOf(node.name);
    for (const Input& input : node.inputs) {
      spec.operands.push_back(OperandOf(input));
      spec.types.push_back(input.type);
    }
    for (const std::uint32_t from : node.controls) {
      spec.operands.push_back(ActorOperand(from));
      spec.types.emplace_back(kControlType);
    }
    spec.types.push_back(node.result);
    std::string full_name(KernelPath(node.name));
    if (!node.group.empty()) full_name.insert(0, std::string(node.group) + "/");
    if (!full_name.empty()) spec.notes.push_back({LineKind::kFullname, std::move(full_name)});
    builder_.AddNode(spec);
  }

  Operand OperandOf(const Input& input) {
    switch (input.kind) {
      case Input::Kind::kActor:
        return ActorOperand(input.actor);
      case Input::Kind::kParameter:
        return builder_.ParameterOperand(parameter_numbers_.at(std::string(input.text)),
                                         input.text);
      case Input::Kind::kConstant:
        break;
    }
    return builder_.TextOperand(OperandKind::kValue, input.text);
  }
  Operand ActorOperand(std::uint32_t actor) {
    return builder_.TextOperand(OperandKind::kForeign, kEntry + (":" + names_[actor]));
  }

  std::vector<ActorNode> nodes_;
  std::vector<ParameterSpec> parameters_;
  std::unordered_map<std::string, std::uint32_t> parameter_numbers_;
  std::vector<std::string> names_;
  ModuleBuilder builder_;
};

}  // namespace

Module ActorGraph(Module module) {
  switch (module.form) {
    case Form::kGraph:
    case Form::kFailure:
      break;
    case Form::kActors:
      return GraphBuilder(NodesOfFinalSet(module)).Build();
    case Form::kActorSections:
      return GraphBuilder(SectionReader(module).Read()).Build();
  }
  return module;
}

}  // namespace sightline::ir
