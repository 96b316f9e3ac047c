// Compressed bytes: zlib streams as packs hold them, and gzip files. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline::ir {

// A zlib stream (RFC 1950).
std::string Deflate(std::string_view bytes);

// The bytes of a zlib stream that must be `size` long; kDataLoss for anything else. Memory is never
// more than `size` and about a thousand times the stream's own bytes.
Result<std::string> Inflate(std::string_view stream, std::size_t size);

// A gzip file (RFC 1952).
std::string Gzip(std::string_view bytes);

// The bytes of a gzip file; kDataLoss for what is none, or has more than `limit`.
Result<std::string> Gunzip(std::string_view file, std::size_t limit);

}  // namespace sightline::ir
