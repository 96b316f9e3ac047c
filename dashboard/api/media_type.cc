#include "sightline/dashboard/api/media_type.h"

#include <algorithm>

namespace sightline::dashboard {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kOther = "application/octet-stream";

bool Begins(std::string_view bytes, std::string_view start) {
  return bytes.substr(0, start.size()) == start;
}

// Whether a file of the ISO base media format names AVIF among its brands: a box of four bytes of
// length and "ftyp", then the main brand, a version, and further brands of four bytes each.
bool IsAvif(std::string_view bytes) {
  if (bytes.size() < 16 || bytes.substr(4, 4) != "ftyp") return false;
  if (!Begins(bytes, "\0\0\0"sv)) return false;  // The box is shorter than 256 bytes.
  const auto end = std::min<std::size_t>(bytes.size(), static_cast<unsigned char>(bytes[3]));
  for (std::size_t at = 8; at + 4 <= end; at += 4) {
    const std::string_view brand = bytes.substr(at, 4);
    if (at != 12 && (brand == "avif" || brand == "avis")) return true;
  }
  return false;
}

}  // namespace

std::string_view ImageTypeOf(std::string_view bytes) {
  if (Begins(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (Begins(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (Begins(bytes, "GIF87a") || Begins(bytes, "GIF89a")) return "image/gif";
  if (Begins(bytes, "RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP")
    return "image/webp";
  if (IsAvif(bytes)) return "image/avif";
  return kOther;
}

std::string_view AudioTypeOf(std::string_view bytes) {
  return Begins(bytes, "RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WAVE" ? "audio/wav"
                                                                                     : kOther;
}

}  // namespace sightline::dashboard
