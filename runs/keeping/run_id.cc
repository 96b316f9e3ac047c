#include "sightline/runs/keeping/run_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "sightline/base/utf8.h"

namespace sightline {
namespace {

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }

// "%25", or the escape of a byte that is not ASCII.
bool IsEscape(std::string_view text) {
  return text.starts_with("%25") ||
         (text.size() >= 3 && text[0] == '%' && IsHex(text[2]) &&
          (text[1] == '8' || text[1] == '9' || (text[1] >= 'A' && text[1] <= 'F')));
}

unsigned HexValue(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'A' + 10); }

}  // namespace

std::string RunId(std::string_view bytes) {
  constexpr std::size_t kLongestCharacter = 4;
  std::string id;
  while (!bytes.empty()) {
    std::size_t length = 1;
    while (length < std::min(kLongestCharacter, bytes.size()) && !IsUtf8(bytes.substr(0, length)))
      ++length;
    if (!IsUtf8(bytes.substr(0, length))) {
      id += fmt::format("%{:02X}", static_cast<unsigned char>(bytes[0]));
      length = 1;
    } else if (IsEscape(bytes)) {
      id += "%25";
    } else {
      id += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
  return id;
}

std::string BytesOfRunId(std::string_view id) {
  std::string bytes;
  while (!id.empty()) {
    const bool escape = IsEscape(id);
    bytes += escape ? static_cast<char>(HexValue(id[1]) * 16 + HexValue(id[2])) : id[0];
    id.remove_prefix(escape ? 3 : 1);
  }
  return bytes;
}

}  // namespace sightline
