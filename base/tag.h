// Tags: the names under which values are recorded, e.g. "loss/auto".
//
// Any string works. It is stored as UTF-8, cut after kMaxTagBytes bytes. Invalid bytes become
// U+FFFD, since the readers of both dialects (MindSpore's and TensorBoard's form of event files)
// refuse other text. In a hot loop, use a TagId that Recorder::Intern made once: then nothing is
// hashed, checked or allocated.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline {

inline constexpr std::size_t kMaxTagBytes = 4096;

// A tag that Recorder::Intern made; cheap to copy, valid as long as that recorder.
class TagId {
 public:
  TagId() = default;  // The empty tag.

 private:
  friend class Tag;
  friend class Recorder;
  explicit TagId(std::string_view clean) : clean_(clean) {}
  std::string_view clean_;
};

// What every recording call takes: a TagId, or a string that lives until the call returns.
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

// `text` as valid UTF-8 of at most kMaxTagBytes bytes; unchanged if it is that already.
std::string CleanTag(std::string_view text);
bool IsCleanTag(std::string_view text);

}  // namespace sightline
