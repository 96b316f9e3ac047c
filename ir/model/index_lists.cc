#include "sightline/ir/model/index_lists.h"

namespace sightline::ir {

IndexLists IndexListsBuilder::Build() const {
  IndexLists lists;
  lists.begins_.assign(last_.size() + 1, 0);
  for (const Added& added : added_) ++lists.begins_[added.element + 1];
  for (std::size_t i = 1; i < lists.begins_.size(); ++i) lists.begins_[i] += lists.begins_[i - 1];
  lists.items_.resize(added_.size());
  std::vector<std::uint32_t> next(lists.begins_.begin(), lists.begins_.end() - 1);
  for (const Added& added : added_) lists.items_[next[added.element]++] = added.item;
  return lists;
}

}  // namespace sightline::ir
