// Lists of indices, one for each element of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sightline::ir {

inline constexpr std::uint32_t kNoIndex = UINT32_MAX;

// The lists of all elements, in one block of memory.
class IndexLists {
 public:
  std::span<const std::uint32_t> operator[](std::uint32_t element) const {
    return {items_.data() + begins_[element], items_.data() + begins_[element + 1]};
  }
  std::size_t items() const { return items_.size(); }

 private:
  friend class IndexListsBuilder;
  std::vector<std::uint32_t> begins_ = {0};  // One more than there are lists.
  std::vector<std::uint32_t> items_;
};

// Collects the items of the lists. Elements may come in any order.
class IndexListsBuilder {
 public:
  explicit IndexListsBuilder(std::size_t elements) : last_(elements, kNoIndex) {}

  // Does nothing if `item` is the last item of the element.
  void Add(std::uint32_t element, std::uint32_t item) {
    if (last_[element] == item) return;
    last_[element] = item;
    added_.push_back({element, item});
  }

  IndexLists Build() const;

 private:
  struct Added {
    std::uint32_t element;
    std::uint32_t item;
  };
  std::vector<std::uint32_t> last_;  // Of each element.
  std::vector<Added> added_;
};

}  // namespace sightline::ir
