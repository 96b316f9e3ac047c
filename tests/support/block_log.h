// Logs in blocks, byte by byte, as W&B and SwanLab write them (block_log_reader.h).
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/base/wire.h"

namespace sightline::testing {

class BlockLog {
 public:
  explicit BlockLog(std::string_view letters) : bytes_(letters) { bytes_ += {'\x1', '\x2', '\0'}; }

  void Add(std::string_view record) {
    for (bool first = true;; first = false) {
      const std::size_t room = kBlock - bytes_.size() % kBlock;
      if (room < kHeader) bytes_.append(room, '\0');
      const std::size_t most = kBlock - bytes_.size() % kBlock - kHeader;
      const std::string_view part = record.substr(0, most);
      record.remove_prefix(part.size());
      const bool last = record.empty();
      AddFragment(static_cast<char>(first ? (last ? 1 : 2) : (last ? 4 : 3)), part);
      if (last) return;
    }
  }
  void AddFragment(char type, std::string_view part) {
    std::string typed(1, type);
    typed += part;
    wire::AppendFixed(
        bytes_, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(typed.data()),
                                                 static_cast<uInt>(typed.size()))));
    wire::AppendFixed(bytes_, static_cast<std::uint16_t>(part.size()));
    bytes_ += typed;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kBlock = 32768;
  static constexpr std::size_t kHeader = 7;

  std::string bytes_;
};

}  // namespace sightline::testing
