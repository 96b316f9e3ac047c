// One call of zlib: a body as gzip (RFC 1952), for answers. Callable from any thread.
#pragma once

#include <string>
#include <string_view>

namespace sightline::dashboard {

// Empty where zlib has no memory; the answer then goes out as it is.
std::string Gzip(std::string_view body);

}  // namespace sightline::dashboard
