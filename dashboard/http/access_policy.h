// AccessPolicy: decides who has access. Every request is checked here before it is handled.
//
// - Host must name this server. If another site makes its own name point at 127.0.0.1 (DNS
//   rebinding), its page sends that name and is refused.
// - Origin, if there is one, must be this server's own, and Sec-Fetch-Site must not be
//   "cross-site".
// - Paths under /api need the token, as "Authorization: Bearer": other users of the machine can
//   reach the port, but do not have the token. Cookies are not used, since they ignore ports.
//
// Immutable; may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/dashboard/http/http_message.h"

namespace sightline::dashboard {

struct AccessOptions {
  std::string token;  // Empty: no token is needed (--no-auth).
  // Further names of this server, without ports, e.g. "box.example.org". localhost, 127.0.0.1 and
  // [::1] are always accepted.
  std::vector<std::string> hosts;
};

class AccessPolicy {
 public:
  explicit AccessPolicy(AccessOptions options) : options_(std::move(options)) {}

  // The response that refuses the request; no value if it is allowed.
  std::optional<Response> Refusal(const Request& request) const;

 private:
  bool IsOwnHost(std::string_view host) const;

  AccessOptions options_;
};

// Whether the texts are equal. The time that it takes does not depend on where they differ.
bool EqualSecrets(std::string_view a, std::string_view b);

// Whether `host` is "127.0.0.1", "localhost" or "::1", which other machines cannot reach.
bool IsLoopbackName(std::string_view host);

}  // namespace sightline::dashboard
