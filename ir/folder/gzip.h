// Reads gzip files (RFC 1952). Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline::ir {

std::string Gzip(std::string_view bytes);

// The content of a gzip file; kDataLoss if it is none, or has more than `limit` bytes. Memory:
// about the smaller of `limit` and a thousand times the size of the file.
Result<std::string> Gunzip(std::string_view bytes, std::size_t limit);

}  // namespace sightline::ir
