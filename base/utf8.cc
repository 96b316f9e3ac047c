#include "sightline/base/utf8.h"

#include <cstdint>
#include <cstring>

namespace sightline {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// The first character of a text: its size in bytes, or the size of the ill-formed sequence there.
struct Character {
  std::size_t size;
  bool valid;
};

// The second byte decides what the first leaves open; all others are 80..BF. Source: Unicode, table
// 3-7.
struct Lead {
  std::size_t size = 0;  // 0: no character begins with this byte.
  std::uint8_t second_low = 0x80;
  std::uint8_t second_high = 0xbf;
};

constexpr Lead LeadOf(std::uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xc2) return {0};  // A continuation, or an overlong form.
  if (byte < 0xe0) return {2};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};  // A0..BF would be a surrogate.
  if (byte < 0xf0) return {3};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};  // Up to U+10FFFF.
  return {0};
}

// REQUIRES: `text` is not empty.
Character First(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const Lead lead = LeadOf(byte(0));
  if (lead.size <= 1) return {1, lead.size == 1};
  for (std::size_t i = 1; i < lead.size; ++i) {
    const std::uint8_t low = i == 1 ? lead.second_low : std::uint8_t{0x80};
    const std::uint8_t high = i == 1 ? lead.second_high : std::uint8_t{0xbf};
    if (i == text.size() || byte(i) < low || byte(i) > high) return {i, false};
  }
  return {lead.size, true};
}

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

std::uint64_t Word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

// Eight bytes at a time, the last eight once more: nearly every tag is ASCII, and calls in a
// training loop check theirs.
bool IsAscii(std::string_view text) {
  std::uint64_t bits = 0;
  if (text.size() < 8) {
    for (const char c : text) bits |= static_cast<std::uint8_t>(c);
    return (bits & 0x80U) == 0;
  }
  for (std::size_t at = 0; at + 8 <= text.size(); at += 8) bits |= Word(text.data() + at);
  bits |= Word(text.data() + text.size() - 8);
  return (bits & kHighBits) == 0;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  if (IsAscii(text)) return true;
  while (!text.empty()) {
    const Character character = First(text);
    if (!character.valid) return false;
    text.remove_prefix(character.size);
  }
  return true;
}

std::string ToUtf8(std::string_view text, std::size_t max_bytes) {
  std::string clean;
  clean.reserve(text.size() < max_bytes ? text.size() : max_bytes);
  while (!text.empty()) {
    const Character character = First(text);
    const std::string_view piece = character.valid ? text.substr(0, character.size) : kReplacement;
    if (piece.size() > max_bytes - clean.size()) break;
    clean.append(piece);
    text.remove_prefix(character.size);
  }
  return clean;
}

}  // namespace sightline
