#include "sightline/ir/dump/graph_tape.h"

#include <limits>
#include <utility>

namespace sightline::ir {
namespace {

// Places on a tape are numbers of 32 bits.
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() / 2;

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

void GraphTape::Texts(std::span<const std::string_view> texts) {
  Number(SizeOf(texts));
  for (const std::string_view text : texts) Text(text);
}

void GraphTape::Signature(const DumpSignature& signature) {
  Texts(signature.inputs);
  Texts(signature.outputs);
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

// Appends the position of the stack: that of an earlier node, or the next byte.
void GraphTape::Locations(std::span<const Location> locations, const void* key) {
  const std::uint32_t here = static_cast<std::uint32_t>(size_) + sizeof(std::uint32_t);
  if (key != nullptr) {
    const auto [known, added] = locations_.try_emplace(key, here);
    if (!added) return Number(known->second);
  }
  Number(here);
  Number(SizeOf(locations));
  for (const Location& location : locations) Place(location);
}

void GraphTape::Node(Record record, const DumpNode& node) {
  if (overflowed_) return;
  Begin(record);
  Key(node.key);
  Text(node.name);
  Text(node.primitive);
  Key(node.called);
  Number(SizeOf(node.closure));
  for (const DumpFunction& function : node.closure) {
    Key(function.key);
    Number(function.partials);
  }
  Number(SizeOf(node.operands));
  for (const DumpValue& operand : node.operands) {
    Key(operand.key);
    if (operand.key == nullptr) Text(operand.constant);
  }
  Attributes(node.attributes);
  Texts(node.types);
  Signature(node.symbolic_shapes);
  Signature(node.devices);
  Signature(node.objects);
  Text(node.full_name);
  Text(node.side_effect);
  Locations(node.locations, node.location_key);
  Number(SizeOf(node.origins));
  for (const DumpOrigin& origin : node.origins) {
    Number(static_cast<std::uint32_t>(origin.kind));
    Locations(origin.locations, origin.location_key);
  }
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
  tape_.Text(subgraph.side_effect);
}

void GraphVisitor::Parameter(const DumpParameter& parameter) {
  tape_.Begin(GraphTape::Record::kParameter);
  tape_.Key(parameter.key);
  tape_.Text(parameter.name);
  tape_.Text(parameter.type);
  tape_.Text(parameter.shape);
  tape_.Number(parameter.has_default ? 1 : 0);
  tape_.Text(parameter.device);
  tape_.Number(parameter.is_weight ? 1 : 0);
}

void GraphVisitor::Node(const DumpNode& node) { tape_.Node(GraphTape::Record::kNode, node); }

void GraphVisitor::Return(const DumpNode& node) { tape_.Node(GraphTape::Record::kReturn, node); }

}  // namespace sightline::ir
