// Gzip files (RFC 1952). Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline::ir {

std::string Gzip(std::string_view bytes);

// The bytes of a gzip file; kDataLoss for what is none, or has more than `limit`. Memory is never
// more than `limit` and about a thousand times the file's own bytes.
Result<std::string> Gunzip(std::string_view bytes, std::size_t limit);

}  // namespace sightline::ir
