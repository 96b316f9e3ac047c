// Checkpoints of every format, made by hand from the formats' documents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/wire.h"

namespace sightline::testing {

template <typename T>
std::string Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// One Value of MindSpore's Checkpoint message.
inline std::string MindSporeValue(std::string_view tag, const std::vector<std::int64_t>& dims,
                                  std::string_view type, std::string_view content) {
  std::string tensor;
  for (const std::int64_t dim : dims) wire::AppendInt(tensor, 1, dim);
  wire::AppendBytes(tensor, 2, type);
  wire::AppendBytes(tensor, 3, content);
  std::string value;
  wire::AppendBytes(value, 1, tag);
  wire::AppendBytes(value, 2, tensor);
  std::string out;
  wire::AppendBytes(out, 1, value);
  return out;
}

inline std::string MindSporeTensor(std::string_view tag, const std::vector<std::int64_t>& dims,
                                   const std::vector<float>& values) {
  return MindSporeValue(tag, dims, "Float32", Bytes(values));
}

inline std::string Safetensors(std::string header, std::string_view data) {
  std::string out;
  wire::AppendFixed(out, static_cast<std::uint64_t>(header.size()));
  return out + header + std::string(data);
}

struct ZipEntry {
  std::string name;
  std::string bytes;
};

// As Python's zipfile writes them, without checksums; `zip64`: sizes and offsets in extra fields.
inline std::string Zip(const std::vector<ZipEntry>& entries, std::uint16_t method = 0,
                       bool zip64 = false) {
  std::string out;
  std::string directory;
  for (const auto& [name, bytes] : entries) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const auto name_size = static_cast<std::uint16_t>(name.size());
    out += "PK\x03\x04" + std::string(4, '\0');
    wire::AppendFixed(out, method);
    out += std::string(8, '\0');
    wire::AppendFixed(out, size);
    wire::AppendFixed(out, size);
    wire::AppendFixed(out, name_size);
    wire::AppendFixed(out, std::uint16_t{0});
    out += name + bytes;

    std::string extra;
    if (zip64) {
      wire::AppendFixed(extra, std::uint16_t{1});
      wire::AppendFixed(extra, std::uint16_t{24});
      wire::AppendFixed(extra, std::uint64_t{size});
      wire::AppendFixed(extra, std::uint64_t{size});
      wire::AppendFixed(extra, std::uint64_t{offset});
    }
    directory += "PK\x01\x02" + std::string(6, '\0');
    wire::AppendFixed(directory, method);
    directory += std::string(8, '\0');
    wire::AppendFixed(directory, zip64 ? 0xffffffffU : size);
    wire::AppendFixed(directory, zip64 ? 0xffffffffU : size);
    wire::AppendFixed(directory, name_size);
    wire::AppendFixed(directory, static_cast<std::uint16_t>(extra.size()));
    directory += std::string(10, '\0');
    wire::AppendFixed(directory, zip64 ? 0xffffffffU : offset);
    directory += name + extra;
  }
  const auto at = static_cast<std::uint32_t>(out.size());
  const auto count = static_cast<std::uint16_t>(entries.size());
  out += directory + "PK\x05\x06" + std::string(4, '\0');
  wire::AppendFixed(out, count);
  wire::AppendFixed(out, count);
  wire::AppendFixed(out, static_cast<std::uint32_t>(directory.size()));
  wire::AppendFixed(out, at);
  return out + std::string(2, '\0');
}

}  // namespace sightline::testing
