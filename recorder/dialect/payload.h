// Payload: the message of one record, as a sequence of chunks instead of one big buffer.
//
// The payload owns the bytes of small fields. Tensor elements and pictures are borrowed and never
// copied. Elements that must become float32 are converted in pieces of kPieceBytes, on the stack,
// while the chunks are visited. So a payload of a gigabyte needs a few hundred bytes of memory. Not
// thread-safe.
//
//   Payload payload;
//   wire::AppendDouble(payload.bytes(), 1, wall_time);
//   payload.Nested(5, [&] { payload.AppendBorrowed(picture); });
//   payload.ForEachChunk([&](const Payload::Chunk& chunk) { file.append(chunk.bytes); });
//   payload.Clear();  // In a loop; the next record then allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

class Payload {
 public:
  // A piece of the message, with its CRC32C if that is known without reading the bytes.
  struct Chunk {
    std::string_view bytes;
    std::optional<std::uint32_t> crc;
  };

  // The buffer for the wire::Append functions.
  std::string& bytes() { return bytes_; }

  // Appends `bytes`, which must stay unchanged until Clear. `crc`: their CRC32C, if known.
  void AppendBorrowed(std::string_view bytes, std::optional<std::uint32_t> crc = {});

  // Appends the `count` elements at `data` (borrowed, as above) as float32. `crc`: the CRC32C of
  // the elements before the conversion, if known.
  void AppendFloat32(DType dtype, const void* data, std::size_t count,
                     std::optional<std::uint32_t> crc = {});

  // Appends the length-delimited field `number` with what `body` appends. May be nested.
  template <typename Body>
  void Nested(std::uint32_t number, Body&& body) {
    const Mark mark = Open(number);
    body();
    Close(mark);
  }

  // Bytes of the whole message.
  std::uint64_t size() const { return bytes_.size() + external_bytes_; }

  // Calls visit(const Chunk&) for each chunk, in order. If `visit` returns a Status, the first
  // error ends the walk and is returned. A chunk is valid only during its call.
  template <typename Visit>
  std::invoke_result_t<Visit, const Chunk&> ForEachChunk(Visit&& visit) const;

  // Removes everything, but keeps memory for the next record.
  void Clear();

  static constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

 private:
  // A chunk that is not in bytes_.
  struct External {
    std::size_t at = 0;  // The chunk comes before this position of bytes_.
    const char* data = nullptr;
    std::uint64_t size = 0;  // After the conversion.
    DType dtype = DType::kFloat32;
    bool convert = false;
    std::optional<std::uint32_t> crc;
  };
  using Piece = std::array<float, kPieceBytes / sizeof(float)>;

  struct Mark {
    std::size_t length_at = 0;  // In bytes_.
    std::size_t externals = 0;
    std::uint64_t size = 0;
  };

  Mark Open(std::uint32_t number);
  void Close(const Mark& mark);

  // The piece of a converted chunk that begins `offset` bytes into it.
  static std::string_view Convert(const External& external, std::uint64_t offset, Piece& piece);

  template <typename Visit>
  static Status VisitConverted(const External& external, Visit& visit);

  std::string bytes_;
  std::vector<External> externals_;
  std::uint64_t external_bytes_ = 0;
};

// The buffer is on the stack of a function of its own, since visiting is const and most payloads
// need no conversion.
template <typename Visit>
[[gnu::noinline]] Status Payload::VisitConverted(const External& external, Visit& visit) {
  Piece piece;
  for (std::uint64_t offset = 0; offset < external.size; offset += kPieceBytes) {
    SIGHTLINE_RETURN_IF_ERROR(visit(Chunk{Convert(external, offset, piece), {}}));
  }
  return {};
}

template <typename Visit>
std::invoke_result_t<Visit, const Payload::Chunk&> Payload::ForEachChunk(Visit&& visit) const {
  if constexpr (std::is_void_v<std::invoke_result_t<Visit, const Chunk&>>) {
    (void)ForEachChunk([&visit](const Chunk& chunk) {
      visit(chunk);
      return Status();
    });
  } else {
    const std::string_view owned = bytes_;
    std::size_t at = 0;
    for (const External& external : externals_) {
      if (external.at > at)
        SIGHTLINE_RETURN_IF_ERROR(visit(Chunk{owned.substr(at, external.at - at), {}}));
      at = external.at;
      if (external.convert) {
        SIGHTLINE_RETURN_IF_ERROR(VisitConverted(external, visit));
      } else {
        SIGHTLINE_RETURN_IF_ERROR(
            visit(Chunk{std::string_view(external.data, external.size), external.crc}));
      }
    }
    if (at < owned.size()) SIGHTLINE_RETURN_IF_ERROR(visit(Chunk{owned.substr(at), {}}));
    return Status();
  }
}

}  // namespace sightline
