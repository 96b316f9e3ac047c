#include "sightline/base/tag.h"

#include "sightline/base/utf8.h"

namespace sightline {

std::string CleanTag(std::string_view text) { return ToUtf8(text, kMaxTagBytes); }

bool IsCleanTag(std::string_view text) { return text.size() <= kMaxTagBytes && IsUtf8(text); }

}  // namespace sightline
