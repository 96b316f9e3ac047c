#include "sightline/ir/folder/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace sightline::ir {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr std::size_t kStepBytes = std::size_t{256} << 10;

Bytef* ToBytef(const char* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes));  // NOLINT: zlib does not write there.
}

uInt Step(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

}  // namespace

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  std::string out;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return out;  // Only without memory, which does not return here.
  std::size_t taken = 0;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    const std::size_t before = out.size();
    out.resize(before + kStepBytes);
    stream.next_in = ToBytef(bytes.data() + taken);
    stream.avail_in = Step(bytes.size() - taken);
    stream.next_out = ToBytef(out.data() + before);
    stream.avail_out = static_cast<uInt>(kStepBytes);
    const uInt given = stream.avail_in;
    result = deflate(&stream, taken + given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += given - stream.avail_in;
    out.resize(out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

Result<std::string> Gunzip(std::string_view bytes, std::size_t limit) {
  z_stream stream{};
  std::string out;
  if (inflateInit2(&stream, kGzipWindow) != Z_OK)
    return Error(StatusCode::kResourceExhausted, "there is no memory to uncompress");
  std::size_t taken = 0;
  int result = Z_OK;
  // One byte beyond the limit is asked for, so that a stream that goes on is seen.
  while (result == Z_OK && out.size() <= limit) {
    const std::size_t before = out.size();
    const std::size_t step = std::min(kStepBytes, limit + 1 - before);
    out.resize(before + step);
    stream.next_in = ToBytef(bytes.data() + taken);
    stream.avail_in = Step(bytes.size() - taken);
    stream.next_out = ToBytef(out.data() + before);
    stream.avail_out = static_cast<uInt>(step);
    const uInt given = stream.avail_in;
    result = inflate(&stream, Z_NO_FLUSH);
    taken += given - stream.avail_in;
    out.resize(out.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END || out.size() > limit || taken != bytes.size())
    return Error(StatusCode::kDataLoss, "the compressed bytes are damaged");
  return out;
}

}  // namespace sightline::ir
