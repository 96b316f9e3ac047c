#include "sightline/base/digest/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace sightline {

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string Sha256Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : Sha256(bytes))
    hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

}  // namespace sightline
