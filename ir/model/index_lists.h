// Lists of indices, one for each element of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sightline::ir {

inline constexpr std::uint32_t kNoIndex = UINT32_MAX;

// In one block.
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

// Collects items element by element, in any order of the elements.
class IndexListsBuilder {
 public:
  explicit IndexListsBuilder(std::size_t elements) : last_(elements, kNoIndex) {}

  // An item that was the element's last one is not added again.
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
