// LineCache: a map from texts, of which it keeps copies, to small values. Readers look up lines
// that they have parsed before, since dumps repeat most of their lines.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "sightline/ir/model/text_hash.h"

namespace sightline::ir {

template <typename Value>
class LineCache {
 public:
  // The value of a text, valid until the next Insert; null if there is none.
  Value* Find(std::string_view text) {
    hash_ = HashText(text);
    if (slots_.empty()) return nullptr;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash_ & mask; slots_[at].data != nullptr; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.hash == static_cast<std::uint32_t>(hash_ >> 32) && slot.size == text.size() &&
          std::memcmp(slot.data, text.data(), text.size()) == 0)
        return &slot.value;
    }
    return nullptr;
  }

  // REQUIRES: the last call was Find of the same text, and found nothing.
  void Insert(std::string_view text, Value value) {
    if (2 * (used_ + 1) > slots_.size()) Grow();
    auto* const copy = static_cast<char*>(texts_->allocate(text.size() + 1, 1));
    std::memcpy(copy, text.data(), text.size());
    Place(slots_,
          {copy, static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(hash_ >> 32),
           value},
          hash_);
    ++used_;
  }

 private:
  struct Slot {
    const char* data = nullptr;
    std::uint32_t size = 0;
    std::uint32_t hash = 0;  // Its upper half.
    Value value{};
  };

  static void Place(std::vector<Slot>& slots, const Slot& slot, std::uint64_t hash) {
    const std::size_t mask = slots.size() - 1;
    std::size_t at = hash & mask;
    while (slots[at].data != nullptr) at = (at + 1) & mask;
    slots[at] = slot;
  }

  void Grow() {
    std::vector<Slot> larger(slots_.empty() ? 512 : 2 * slots_.size());
    for (const Slot& slot : slots_) {
      if (slot.data != nullptr) Place(larger, slot, HashText({slot.data, slot.size}));
    }
    slots_ = std::move(larger);
  }

  std::unique_ptr<std::pmr::monotonic_buffer_resource> texts_ =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::vector<Slot> slots_;  // Open addressing, a power of two, at most half full.
  std::size_t used_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace sightline::ir
