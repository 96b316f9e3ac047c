// AccessPolicy: who gets in. Every request passes here before anything else looks at it.
//
// - Host must name this server: a page elsewhere whose name was made to point at 127.0.0.1 (DNS
//   rebinding) sends its own name, and is refused.
// - Origin, where there is one, must be this server's own, and Sec-Fetch-Site not "cross-site".
// - Under /api the token is needed, as "Authorization: Bearer"; other users of the machine reach
//   the port, but do not have it. No cookies: they ignore ports.
//
// Immutable; callable from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/dashboard/http_message.h"

namespace sightline::dashboard {

struct AccessOptions {
  std::string token;  // Empty: --no-auth, nobody is asked for one.
  // Names without ports beside localhost, 127.0.0.1 and [::1], e.g. "box.example.org".
  std::vector<std::string> hosts;
};

class AccessPolicy {
 public:
  explicit AccessPolicy(AccessOptions options) : options_(std::move(options)) {}

  // The answer that refuses the request; nothing where it may pass.
  std::optional<Answer> Refusal(const Request& request) const;

 private:
  bool IsOwnHost(std::string_view host) const;

  AccessOptions options_;
};

// Whether they are equal, in a time that does not tell where they differ.
bool EqualSecrets(std::string_view a, std::string_view b);

// "127.0.0.1", "localhost", "::1": what cannot be reached from another machine.
bool IsLoopbackName(std::string_view host);

}  // namespace sightline::dashboard
