#include "sightline/ir/graph_tape.h"

#include <limits>
#include <utility>

namespace sightline::ir {
namespace {

// Places on a tape are numbers of 32 bits.
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() / 2;

// Flags of a location.
constexpr std::uint32_t kInlined = 1;
constexpr std::uint32_t kShared = 2;
constexpr std::uint32_t kHasColumns = 4;

template <typename Items>
std::uint32_t SizeOf(const Items& items) {
  return static_cast<std::uint32_t>(items.size());
}

}  // namespace

void GraphTape::Reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(bytes);
  if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
  bytes_ = std::move(larger);
  capacity_ = bytes;
}

void GraphTape::Clear() {
  size_ = 0;
  locations_.clear();
  overflowed_ = false;
}

void GraphTape::Text(std::string_view text) {
  overflowed_ |= size_ + text.size() > kMostBytes;
  if (overflowed_) text = {};
  const std::uint32_t size = SizeOf(text);
  char* at = Extend(sizeof(size) + size);
  std::memcpy(at, &size, sizeof(size));
  if (size > 0) std::memcpy(at + sizeof(size), text.data(), size);
}

void GraphTape::Attributes(std::span<const DumpAttribute> attributes) {
  Number(SizeOf(attributes));
  for (const DumpAttribute& attribute : attributes) {
    Text(attribute.group);
    Text(attribute.key);
    Text(attribute.value);
  }
}

void GraphTape::Place(const Location& location) {
  const auto columns = location.columns.value_or(Location::Columns{0, 0});
  Number((location.inlined ? kInlined : 0) | (location.shared ? kShared : 0) |
         (location.columns ? kHasColumns : 0));
  Text(location.path);
  Number(location.first_line);
  Number(location.last_line);
  Number(columns.begin);
  Number(columns.end);
  Text(location.code);
}

// Where the stack lies: it follows at once, or is that of an earlier node.
void GraphTape::Locations(const DumpNode& node) {
  const std::uint32_t here = static_cast<std::uint32_t>(size_) + sizeof(std::uint32_t);
  if (node.location_key != nullptr) {
    const auto [known, added] = locations_.try_emplace(node.location_key, here);
    if (!added) return Number(known->second);
  }
  Number(here);
  Number(SizeOf(node.locations));
  for (const Location& location : node.locations) Place(location);
}

void GraphTape::Node(Record record, const DumpNode& node) {
  if (overflowed_) return;
  Begin(record);
  Key(node.key);
  Text(node.name);
  Text(node.primitive);
  Key(node.called);
  Number(SizeOf(node.closure));
  for (const void* key : node.closure) Key(key);
  Number(SizeOf(node.operands));
  for (const DumpValue& operand : node.operands) {
    Key(operand.key);
    if (operand.key == nullptr) Text(operand.constant);
  }
  Attributes(node.attributes);
  Number(SizeOf(node.types));
  for (const std::string_view type : node.types) Text(type);
  Text(node.full_name);
  Text(node.side_effect);
  Locations(node);
}

bool GraphVisitor::KnowsLocations(const void* location_key) const {
  return tape_.locations_.contains(location_key);
}

void GraphVisitor::Subgraph(const DumpSubgraph& subgraph) {
  tape_.Begin(GraphTape::Record::kSubgraph);
  tape_.Key(subgraph.key);
  tape_.Text(subgraph.name);
  tape_.Key(subgraph.parent);
  tape_.Attributes(subgraph.attributes);
  tape_.Number(subgraph.location ? 1 : 0);
  if (subgraph.location) tape_.Place(*subgraph.location);
}

void GraphVisitor::Parameter(const DumpParameter& parameter) {
  tape_.Begin(GraphTape::Record::kParameter);
  tape_.Key(parameter.key);
  tape_.Text(parameter.name);
  tape_.Text(parameter.type);
  tape_.Text(parameter.shape);
  tape_.Number(parameter.has_default ? 1 : 0);
}

void GraphVisitor::Node(const DumpNode& node) { tape_.Node(GraphTape::Record::kNode, node); }

void GraphVisitor::Return(const DumpNode& node) { tape_.Node(GraphTape::Record::kReturn, node); }

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
  std::vector<DumpAttribute> Attributes();
  Location Place();
  std::vector<Location> Locations();
  TapedNode Node(bool is_return);

  std::string_view bytes_;
  std::size_t at_ = 0;
};

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
  location.inlined = (flags & kInlined) != 0;
  location.shared = (flags & kShared) != 0;
  location.path = Text();
  location.first_line = Number();
  location.last_line = Number();
  const std::uint32_t begin = Number();
  const std::uint32_t end = Number();
  if ((flags & kHasColumns) != 0) location.columns = {begin, end};
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
  for (const void*& key : node.closure) key = Key();
  node.operands.resize(Number());
  for (DumpValue& operand : node.operands) {
    operand.key = Key();
    if (operand.key == nullptr) operand.constant = Text();
  }
  node.attributes = Attributes();
  node.types.resize(Number());
  for (std::string_view& type : node.types) type = Text();
  node.full_name = Text();
  node.side_effect = Text();
  node.locations = Locations();
  return node;
}

TapedGraph TapeReader::Read() {
  TapedGraph graph;
  while (at_ < bytes_.size()) {
    const auto record = Take<GraphTape::Record>();
    TapedSubgraph* subgraph = graph.subgraphs.empty() ? nullptr : &graph.subgraphs.back();
    switch (record) {
      case GraphTape::Record::kSubgraph: {
        TapedSubgraph begun;
        begun.key = Key();
        begun.name = Text();
        begun.parent = Key();
        begun.attributes = Attributes();
        if (Number() != 0) begun.location = Place();
        graph.subgraphs.push_back(std::move(begun));
        break;
      }
      case GraphTape::Record::kParameter: {
        TapedParameter parameter;
        parameter.key = Key();
        parameter.name = Text();
        parameter.type = Text();
        parameter.shape = Text();
        parameter.has_default = Number() != 0;
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
