#include "sightline/recorder/dialect/payload.h"

#include <algorithm>

#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

// More memory than that is not kept. The records of a training loop own fewer bytes; a graph may
// own more, but comes once.
constexpr std::size_t kKeptBytes = std::size_t{1} << 20;
// Smaller chunks are cheaper to copy than to visit.
constexpr std::size_t kCopiedBytes = 256;

}  // namespace

void Payload::AppendBorrowed(std::string_view bytes, std::optional<std::uint32_t> crc) {
  if (bytes.size() <= kCopiedBytes) {
    bytes_.append(bytes);
    return;
  }
  External& external = externals_.emplace_back();
  external.at = bytes_.size();
  external.data = bytes.data();
  external.size = bytes.size();
  external.crc = crc;
  external_bytes_ += bytes.size();
}

void Payload::AppendFloat32(DType dtype, const void* data, std::size_t count,
                            std::optional<std::uint32_t> crc) {
  const auto* const bytes = static_cast<const char*>(data);
  const std::uint64_t size = std::uint64_t{count} * sizeof(float);
  if (dtype == DType::kFloat32) {
    AppendBorrowed({bytes, size}, crc);
    return;
  }
  if (size == 0) return;
  externals_.push_back({bytes_.size(), bytes, size, dtype, true, {}});
  external_bytes_ += size;
}

// The length of a field is known only at its end. One byte is kept free for it, which is enough for
// most fields. For the others, the owned bytes after it are moved; borrowed bytes never are.
Payload::Mark Payload::Open(std::uint32_t number) {
  wire::AppendKey(bytes_, number, wire::WireType::kBytes);
  const std::size_t length_at = bytes_.size();
  bytes_.push_back('\0');
  return {length_at, externals_.size(), size()};
}

void Payload::Close(const Mark& mark) {
  const std::uint64_t length = size() - mark.size;
  const std::size_t more = wire::VarintSize(length) - 1;
  if (more != 0) {
    bytes_.insert(mark.length_at, more, '\0');
    for (std::size_t i = mark.externals; i < externals_.size(); ++i) externals_[i].at += more;
  }
  wire::PutVarint(bytes_.data() + mark.length_at, length);
}

void Payload::Clear() {
  if (bytes_.capacity() > kKeptBytes) std::string().swap(bytes_);
  bytes_.clear();
  externals_.clear();
  external_bytes_ = 0;
}

std::string_view Payload::Convert(const External& external, std::uint64_t offset, Piece& piece) {
  const std::uint64_t first = offset / sizeof(float);
  const std::uint64_t count =
      std::min<std::uint64_t>(piece.size(), external.size / sizeof(float) - first);
  ConvertToFloat32(external.dtype, external.data + first * DTypeSize(external.dtype), count,
                   piece.data());
  return {reinterpret_cast<const char*>(piece.data()), count * sizeof(float)};
}

}  // namespace sightline
