#include "sightline/ir/model/text_pool.h"

#include <cstring>

#include "sightline/ir/model/text_hash.h"

namespace sightline::ir {

TextId TextPool::Append(std::string_view text) {
  const auto id = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back(
      {static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(text.size())});
  bytes_.append(text);
  return TextId{id};
}

TextId TextPool::Intern(std::string_view text) {
  if (text.empty()) return kNoText;
  if (2 * (used_ + 1) > slots_.size()) Grow();
  const auto hash = static_cast<std::uint32_t>(HashText(text));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id == 0) {
      const TextId id = Append(text);
      slot = {hash, static_cast<std::uint32_t>(id)};
      ++used_;
      return id;
    }
    if (slot.hash != hash) continue;
    const Entry& entry = entries_[slot.id];
    if (entry.size == text.size() &&
        std::memcmp(bytes_.data() + entry.offset, text.data(), text.size()) == 0)
      return TextId{slot.id};
  }
}

void TextPool::Grow() {
  std::vector<Slot> larger(slots_.empty() ? 1024 : 2 * slots_.size());
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.id == 0) continue;
    std::size_t at = slot.hash & mask;
    while (larger[at].id != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
}

void TextPool::Compact() {
  slots_ = {};
  used_ = 0;
  bytes_.shrink_to_fit();
  entries_.shrink_to_fit();
}

}  // namespace sightline::ir
