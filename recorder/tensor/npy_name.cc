#include "sightline/recorder/tensor/npy_name.h"

#include <fmt/format.h>

#include "sightline/base/ascii.h"
#include "sightline/base/fnv1a.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxNameBytes = 255;

// This is not isalnum, since that depends on the locale.
bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '~';
}

// Whether character i must be escaped, since readers would take the name for that of an event file.
bool LooksLikeEventFileAt(std::string_view tag, std::size_t i) {
  constexpr std::string_view kTensorBoard = "tfevents";
  constexpr std::string_view kMindSpore = "summary.";
  if (tag[i] == 't') return tag.substr(i, kTensorBoard.size()) == kTensorBoard;
  if (tag[i] != '.' || i + 1 < kMindSpore.size()) return false;
  return tag.substr(i + 1 - kMindSpore.size(), kMindSpore.size()) == kMindSpore &&
         i + 1 < tag.size() && IsDigit(tag[i + 1]);
}

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

}  // namespace

std::string NpyFileName(std::string_view tag, std::int64_t step) {
  const std::string suffix = fmt::format("_{}.npy", step);
  const std::string hash = fmt::format("~{:016x}", Fnv1a64(tag));
  const std::size_t room = kMaxNameBytes - suffix.size();
  std::string name;
  std::size_t cut = 0;  // The end of the last whole character after which the hash still fits.
  for (std::size_t i = 0; i < tag.size() && name.size() <= room; ++i) {
    if (!ContinuesCharacter(tag[i]) && name.size() + hash.size() <= room) cut = name.size();
    if (IsUnreserved(tag[i]) && !LooksLikeEventFileAt(tag, i)) {
      name += tag[i];
    } else {
      name += fmt::format("%{:02X}", static_cast<unsigned char>(tag[i]));
    }
  }
  if (name.size() > room) {
    name.resize(cut);
    name += hash;
  }
  return name + suffix;
}

}  // namespace sightline
