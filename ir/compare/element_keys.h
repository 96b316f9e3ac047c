// Keys by which elements of two graphs are matched: hashes, the most certain first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

enum class Key : std::uint8_t {
  kAll,      // Properties, and those of everything above and below.
  kId,       // Properties and name with its ids. None without a name.
  kNamed,    // Label and name with its ids. None without a name.
  kAbove,    // Properties, and those of everything that it is computed from.
  kBelow,    // Properties, and those of everything that is computed from it.
  kPlace,    // Properties, scope and source line. None without a source line.
  kContent,  // Properties; for other elements in them, their label.
  kScope,    // Label, scope and source line.
  kLabel,    // Operator; for parameters and subgraphs, the name.
  kName,     // Only the name with its ids. None without a name.
  kOwn,      // Label, scope, source line and the properties whose values are texts.
};
inline constexpr std::size_t kKeys = 11;

// The keys of one graph. The table must outlive it.
class ElementKeys {
 public:
  explicit ElementKeys(const ElementTable& table);

  // 0: the element has no such key.
  std::uint64_t Get(std::uint32_t element, Key key) const {
    return keys_[static_cast<std::size_t>(key)][element];
  }

  // The places where an element is a property of another one.
  struct Use {
    std::uint32_t user = 0;
    PropertyKind kind = PropertyKind::kOperand;
    std::uint32_t position = 0;
  };
  std::span<const Use> UsesOf(std::uint32_t element) const {
    return {uses_.data() + use_begins_[element], uses_.data() + use_begins_[element + 1]};
  }

 private:
  using Hashes = std::vector<std::uint64_t>;
  Hashes& Keys(Key key) { return keys_[static_cast<std::size_t>(key)]; }

  void ListUses();
  void HashContents();
  void HashAbove();
  void HashBelow();
  void HashPlaces();
  std::uint64_t LabelOf(std::uint32_t element) const;
  // Whether `lower` is a later statement of the same subgraph as `upper`.
  bool IsBelow(std::uint32_t lower, std::uint32_t upper) const;

  const ElementTable& table_;
  std::vector<std::uint32_t> use_begins_;
  std::vector<Use> uses_;
  std::array<Hashes, kKeys> keys_;
};

}  // namespace sightline::ir
