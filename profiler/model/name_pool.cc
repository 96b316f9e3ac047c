#include "sightline/profiler/model/name_pool.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace sightline::profiler {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;
constexpr std::size_t kFirstSlots = 1024;

std::uint32_t Hash(std::string_view text) {
  const std::uint64_t hash = std::hash<std::string_view>()(text);
  return static_cast<std::uint32_t>(hash ^ hash >> 32U);
}

}  // namespace

NamePool::NamePool() : texts_(1), slots_(kFirstSlots) {}

NameId NamePool::Intern(std::string_view text) {
  if (text.empty()) return kNoName;
  const std::uint32_t hash = Hash(text);
  Slot* slot = &slots_[FindSlot(text, hash)];
  if (slot->id != 0) return NameId{slot->id};
  if (texts_.size() * 2 >= slots_.size()) {
    Grow();
    slot = &slots_[FindSlot(text, hash)];
  }
  *slot = {hash, static_cast<std::uint32_t>(texts_.size())};
  texts_.push_back(Store(text));
  return NameId{slot->id};
}

NameId NamePool::Find(std::string_view text) const {
  return text.empty() ? kNoName : NameId{slots_[FindSlot(text, Hash(text))].id};
}

std::size_t NamePool::bytes() const {
  return stored_ + texts_.capacity() * sizeof(std::string_view) + slots_.capacity() * sizeof(Slot);
}

std::size_t NamePool::FindSlot(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id == 0 || (slot.hash == hash && texts_[slot.id] == text)) return at;
  }
}

std::string_view NamePool::Store(std::string_view text) {
  if (text.size() > block_left_) {
    const std::size_t size = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique<char[]>(size));
    block_at_ = blocks_.back().get();
    block_left_ = size;
    stored_ += size;
  }
  char* at = block_at_;
  std::memcpy(at, text.data(), text.size());
  block_at_ += text.size();
  block_left_ -= text.size();
  return {at, text.size()};
}

void NamePool::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].id != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace sightline::profiler
