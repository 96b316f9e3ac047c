// GraphTape: a compact copy of a visited graph that is fast to write. The visitor appends records,
// and another thread reads them later.
//
//   GraphTape tape;
//   GraphVisitor visitor(tape);
//   visit(visitor);
//   const TapedGraph graph = ReadTape(tape);  // Views of the tape: taped_graph.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>

#include "sightline/ir/dump/graph_visitor.h"

namespace sightline::ir {

class GraphTape {
 public:
  std::size_t size() const { return size_; }
  std::string_view bytes() const { return {bytes_.get(), size_}; }
  // The graph has more than 2 GiB, and some of it is not on the tape.
  bool overflowed() const { return overflowed_; }
  void Reserve(std::size_t bytes);
  // Keeps the memory for the next graph.
  void Clear();

 private:
  friend class GraphVisitor;
  friend class TapeReader;  // taped_graph.cc
  enum class Record : char { kSubgraph, kParameter, kNode, kReturn };
  // Flags of a location.
  static constexpr std::uint32_t kInlined = 1;
  static constexpr std::uint32_t kShared = 2;
  static constexpr std::uint32_t kHasColumns = 4;

  // Appends so many bytes; their values are not set.
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
  void Texts(std::span<const std::string_view> texts);
  void Signature(const DumpSignature& signature);
  void Place(const Location& location);
  void Locations(std::span<const Location> locations, const void* key);

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::unordered_map<const void*, std::uint32_t> locations_;  // The stack of each key.
  bool overflowed_ = false;
};

}  // namespace sightline::ir
