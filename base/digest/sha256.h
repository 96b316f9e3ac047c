// SHA-256 (FIPS 180-4). Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace sightline {

// The 32 bytes.
std::string Sha256(std::string_view bytes);
// 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);
// Bytes as lower-case hexadecimal digits.
std::string HexOf(std::string_view bytes);
// HMAC of RFC 2104 with SHA-256: the 32 bytes.
std::string HmacSha256(std::string_view key, std::string_view bytes);

// SHA-256 of bytes that come in parts. One thread.
class Sha256Stream {
 public:
  Sha256Stream();
  void Add(std::string_view bytes);
  // Call it once, last.
  std::string FinishHex();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

}  // namespace sightline
