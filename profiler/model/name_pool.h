// NamePool: the distinct texts of a profile, each stored once and named by a number, since a trace
// repeats a few thousand names millions of times.
//
// Views stay valid as long as the pool lives; it may be moved. Any number of threads may read, but
// not while a thread adds texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sightline::profiler {

enum class NameId : std::uint32_t {};

// The empty text; every pool has it.
inline constexpr NameId kNoName{0};

class NamePool {
 public:
  NamePool();

  // The id of this text. If the text is new, it is added, and its id is size() - 1 from then on.
  NameId Intern(std::string_view text);
  // The id of this text, or kNoName if the pool does not have it.
  NameId Find(std::string_view text) const;

  std::string_view operator[](NameId id) const { return texts_[static_cast<std::uint32_t>(id)]; }
  std::size_t size() const { return texts_.size(); }
  // The memory of the pool, in bytes.
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t id;  // 0: free; the empty text needs no slot.
  };

  // The slot where the text is, or would be put.
  std::size_t FindSlot(std::string_view text, std::uint32_t hash) const;
  std::string_view Store(std::string_view text);
  void Grow();

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_left_ = 0;
  char* block_at_ = nullptr;
  std::size_t stored_ = 0;
  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;  // Open addressing, a power of two, at most half full.
};

}  // namespace sightline::profiler
