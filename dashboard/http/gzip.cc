#include "sightline/dashboard/http/gzip.h"

#include <zlib.h>

#include <limits>

namespace sightline::dashboard {
namespace {

constexpr int kLevel =
    4;  // For series of floats, higher levels take three times as long and save 2 %.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;

}  // namespace

std::string Gzip(std::string_view body) {
  if (body.size() > std::numeric_limits<uInt>::max() / 2) return {};
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return {};
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(body.size())), '\0');
  // zlib's interface predates const.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (!done) out.clear();
  return out;
}

}  // namespace sightline::dashboard
