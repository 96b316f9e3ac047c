#include "sightline/ir/dump/taped_graph.h"

#include <cstring>
#include <utility>

namespace sightline::ir {

// The tape was written by this process: what it says of its own sizes is true.
class TapeReader {
 public:
  explicit TapeReader(const GraphTape& tape) : bytes_(tape.bytes()) {}

  TapedGraph Read();

 private:
  std::uint32_t Number() { return Take<std::uint32_t>(); }
  const void* Key() { return Take<const void*>(); }
  std::string_view Text() {
    const std::uint32_t size = Number();
    const std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return text;
  }
  template <typename T>
  T Take() {
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(value));
    at_ += sizeof(value);
    return value;
  }
  std::vector<std::string_view> Texts();
  TapedSignature Signature() { return {Texts(), Texts()}; }
  std::vector<DumpAttribute> Attributes();
  Location Place();
  std::vector<Location> Locations();
  TapedSubgraph Subgraph();
  TapedParameter Parameter();
  TapedNode Node(bool is_return);

  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> TapeReader::Texts() {
  std::vector<std::string_view> texts(Number());
  for (std::string_view& text : texts) text = Text();
  return texts;
}

std::vector<DumpAttribute> TapeReader::Attributes() {
  std::vector<DumpAttribute> attributes(Number());
  for (DumpAttribute& attribute : attributes) {
    attribute.group = Text();
    attribute.key = Text();
    attribute.value = Text();
  }
  return attributes;
}

Location TapeReader::Place() {
  Location location;
  const std::uint32_t flags = Number();
  location.inlined = (flags & GraphTape::kInlined) != 0;
  location.shared = (flags & GraphTape::kShared) != 0;
  location.path = Text();
  location.first_line = Number();
  location.last_line = Number();
  const std::uint32_t begin = Number();
  const std::uint32_t end = Number();
  if ((flags & GraphTape::kHasColumns) != 0) location.columns = {begin, end};
  location.code = Text();
  return location;
}

std::vector<Location> TapeReader::Locations() {
  const std::uint32_t place = Number();
  const std::size_t back = at_;
  const bool elsewhere = place != back;
  at_ = place;
  std::vector<Location> locations(Number());
  for (Location& location : locations) location = Place();
  if (elsewhere) at_ = back;
  return locations;
}

TapedNode TapeReader::Node(bool is_return) {
  TapedNode node;
  node.is_return = is_return;
  node.key = Key();
  node.name = Text();
  node.primitive = Text();
  node.called = Key();
  node.closure.resize(Number());
  for (DumpFunction& function : node.closure) {
    function.key = Key();
    function.partials = Number();
  }
  node.operands.resize(Number());
  for (DumpValue& operand : node.operands) {
    operand.key = Key();
    if (operand.key == nullptr) operand.constant = Text();
  }
  node.attributes = Attributes();
  node.types = Texts();
  node.symbolic_shapes = Signature();
  node.devices = Signature();
  node.objects = Signature();
  node.full_name = Text();
  node.side_effect = Text();
  node.locations = Locations();
  node.origins.resize(Number());
  for (TapedOrigin& origin : node.origins) {
    origin.kind = static_cast<DumpOrigin::Kind>(Number());
    origin.locations = Locations();
  }
  return node;
}

TapedSubgraph TapeReader::Subgraph() {
  TapedSubgraph subgraph;
  subgraph.key = Key();
  subgraph.name = Text();
  subgraph.parent = Key();
  subgraph.attributes = Attributes();
  if (Number() != 0) subgraph.location = Place();
  subgraph.side_effect = Text();
  return subgraph;
}

TapedParameter TapeReader::Parameter() {
  TapedParameter parameter;
  parameter.key = Key();
  parameter.name = Text();
  parameter.type = Text();
  parameter.shape = Text();
  parameter.has_default = Number() != 0;
  parameter.device = Text();
  parameter.is_weight = Number() != 0;
  return parameter;
}

TapedGraph TapeReader::Read() {
  TapedGraph graph;
  while (at_ < bytes_.size()) {
    const auto record = Take<GraphTape::Record>();
    TapedSubgraph* subgraph = graph.subgraphs.empty() ? nullptr : &graph.subgraphs.back();
    switch (record) {
      case GraphTape::Record::kSubgraph:
        graph.subgraphs.push_back(Subgraph());
        break;
      case GraphTape::Record::kParameter: {
        const TapedParameter parameter = Parameter();
        if (subgraph != nullptr) subgraph->parameters.push_back(parameter);
        break;
      }
      case GraphTape::Record::kNode:
      case GraphTape::Record::kReturn: {
        TapedNode node = Node(record == GraphTape::Record::kReturn);
        if (subgraph != nullptr) subgraph->nodes.push_back(std::move(node));
        break;
      }
    }
  }
  return graph;
}

TapedGraph ReadTape(const GraphTape& tape) { return TapeReader(tape).Read(); }

}  // namespace sightline::ir
