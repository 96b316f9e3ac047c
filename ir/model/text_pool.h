// The texts of a module: each distinct one is stored once, in one block, and named by a number.
//
// Equal interned texts have equal ids. A view is valid until the next text is added. One thread at
// a time while texts are added; otherwise any.
//
//   TextPool texts;
//   const TextId name = texts.Intern("Conv2D");
//   texts[name];  // "Conv2D"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::ir {

enum class TextId : std::uint32_t {};

// The empty text, in every pool.
inline constexpr TextId kNoText{0};

class TextPool {
 public:
  TextPool() { entries_.push_back({0, 0}); }

  // The id of this text, which is added if the pool does not have it.
  TextId Intern(std::string_view text);
  // Stores a text without looking for an equal one: for texts that are unlikely to occur again.
  TextId Append(std::string_view text);

  std::string_view operator[](TextId id) const {
    const Entry& entry = entries_[static_cast<std::uint32_t>(id)];
    return {bytes_.data() + entry.offset, entry.size};
  }

  // How many texts there are, and their bytes.
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const { return bytes_.size(); }

  // Frees the memory that only Intern needs. A text that is interned later is stored again.
  void Compact();

 private:
  struct Entry {
    std::uint32_t offset;
    std::uint32_t size;
  };
  struct Slot {
    std::uint32_t hash;
    std::uint32_t id;  // 0: free, as the empty text needs no slot.
  };

  void Grow();

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // Open addressing, a power of two, at most half full.
  std::size_t used_ = 0;
};

}  // namespace sightline::ir
