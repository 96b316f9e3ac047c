// Distinct texts of a profile, stored once and named by numbers.
//
// A trace says the same few thousand names millions of times. Views stay valid as long as the pool
// lives; it may be moved. One thread at a time while texts are added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sightline::profile {

enum class NameId : std::uint32_t {};

// The empty text, in every pool.
inline constexpr NameId kNoName{0};

class NamePool {
 public:
  NamePool();

  // The id of this text; a new one, size() - 1, when it is not there yet.
  NameId Intern(std::string_view text);
  // The id of this text, or kNoName.
  NameId Find(std::string_view text) const;

  std::string_view operator[](NameId id) const { return texts_[static_cast<std::uint32_t>(id)]; }
  std::size_t size() const { return texts_.size(); }
  // Memory that the pool holds, in bytes.
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t id;  // 0: free; the empty text needs no slot.
  };

  // Where the text is, or belongs.
  std::size_t SlotOf(std::string_view text, std::uint32_t hash) const;
  std::string_view Store(std::string_view text);
  void Grow();

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_left_ = 0;
  char* block_at_ = nullptr;
  std::size_t stored_ = 0;
  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;  // Open addressing, a power of two, at most half full.
};

}  // namespace sightline::profile
