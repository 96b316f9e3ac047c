// Tags: the names under which values are recorded, e.g. "loss/auto".
//
// Any string works; it is stored as UTF-8 (invalid bytes become U+FFFD, since both dialects'
// readers refuse other text) of at most kMaxTagBytes bytes, cut there. Calls in a hot loop take a
// TagId, interned once by Recorder::Intern: nothing is hashed, checked or allocated then.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline {

inline constexpr std::size_t kMaxTagBytes = 4096;

// A tag interned by Recorder::Intern; a small value to copy, valid as long as that recorder.
class TagId {
 public:
  TagId() = default;  // The empty tag.

 private:
  friend class Tag;
  friend class Recorder;
  explicit TagId(std::string_view clean) : clean_(clean) {}
  std::string_view clean_;
};

// What every recording call takes: a TagId or a string, borrowed for the call.
class Tag {
 public:
  Tag(TagId id) : text_(id.clean_), clean_(true) {}           // NOLINT(google-explicit-constructor)
  Tag(std::string_view text) : text_(text), clean_(false) {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor)
  Tag(const std::string& text) : text_(text), clean_(false) {}
  Tag(const char* text) : text_(text), clean_(false) {}  // NOLINT(google-explicit-constructor)

  std::string_view text() const { return text_; }
  bool clean() const { return clean_; }

 private:
  std::string_view text_;
  bool clean_;
};

// Valid UTF-8 of at most kMaxTagBytes, equal to `text` where it already was.
std::string CleanTag(std::string_view text);
bool IsCleanTag(std::string_view text);

}  // namespace sightline
