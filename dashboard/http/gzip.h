// Compresses a response's body as gzip (RFC 1952), with zlib. May be called from any thread.
#pragma once

#include <string>
#include <string_view>

namespace sightline::dashboard {

// Empty if zlib has no memory; the response is then sent uncompressed.
std::string Gzip(std::string_view body);

}  // namespace sightline::dashboard
