// A graph as a framework handed it over, in few bytes that are fast to write: the visitor appends
// records, another thread reads them later.
//
//   GraphTape tape;
//   GraphVisitor visitor(tape);
//   visit(visitor);
//   const TapedGraph graph = ReadTape(tape);  // Views of the tape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sightline/ir/graph_visitor.h"

namespace sightline::ir {

class GraphTape {
 public:
  std::size_t size() const { return size_; }
  std::string_view bytes() const { return {bytes_.get(), size_}; }
  // More than 2 GiB were handed over, and some of it is not on the tape.
  bool overflowed() const { return overflowed_; }
  void Reserve(std::size_t bytes);
  // Keeps the memory for the next graph.
  void Clear();

 private:
  friend class GraphVisitor;
  enum class Record : char { kSubgraph, kParameter, kNode, kReturn };
  friend class TapeReader;

  // So many bytes behind the others; their values are not set.
  char* Extend(std::size_t bytes) {
    if (capacity_ - size_ < bytes) Reserve(std::max(2 * capacity_, size_ + bytes));
    char* at = bytes_.get() + size_;
    size_ += bytes;
    return at;
  }
  void Begin(Record record) { *Extend(1) = static_cast<char>(record); }
  void Number(std::uint32_t number) {
    std::memcpy(Extend(sizeof(number)), &number, sizeof(number));
  }
  void Key(const void* key) { std::memcpy(Extend(sizeof(key)), &key, sizeof(key)); }
  void Text(std::string_view text);
  void Attributes(std::span<const DumpAttribute> attributes);
  void Node(Record record, const DumpNode& node);
  void Place(const Location& location);
  void Locations(const DumpNode& node);

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::unordered_map<const void*, std::uint32_t> locations_;  // Where the stacks of keys lie.
  bool overflowed_ = false;
};

// --- What was handed over, as views of a tape ---

struct TapedParameter {
  const void* key = nullptr;
  std::string_view name;
  std::string_view type;
  std::string_view shape;
  bool has_default = false;
};

struct TapedNode {
  bool is_return = false;
  const void* key = nullptr;
  std::string_view name;
  std::string_view primitive;
  const void* called = nullptr;
  std::vector<const void*> closure;
  std::vector<DumpValue> operands;
  std::vector<DumpAttribute> attributes;
  std::vector<std::string_view> types;
  std::string_view full_name;
  std::string_view side_effect;
  std::vector<Location> locations;
};

struct TapedSubgraph {
  const void* key = nullptr;
  std::string_view name;
  const void* parent = nullptr;
  std::vector<DumpAttribute> attributes;
  std::optional<Location> location;
  std::vector<TapedParameter> parameters;
  std::vector<TapedNode> nodes;
};

struct TapedGraph {
  std::vector<TapedSubgraph> subgraphs;  // The first is the entry graph.
};

// Records in front of the first subgraph are left out. The tape must outlive the result.
TapedGraph ReadTape(const GraphTape& tape);

}  // namespace sightline::ir
