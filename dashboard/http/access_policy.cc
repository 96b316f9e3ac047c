#include "sightline/dashboard/http/access_policy.h"

#include <algorithm>
#include <cctype>

#include "sightline/base/ascii.h"

namespace sightline::dashboard {
namespace {

constexpr std::string_view kScheme = "Bearer ";

// "Example.org.:8080" -> "example.org". Empty unless `host` is a host with an optional port.
std::string HostName(std::string_view host) {
  std::size_t end = 0;
  if (!host.empty() && host.front() == '[') {
    end = host.find(']');
    if (end == std::string_view::npos) return {};
    ++end;
  } else {
    end = std::min(host.find(':'), host.size());
  }
  const std::string_view port = host.substr(end);
  if (!port.empty() && (port.front() != ':' || port.size() > 6 ||
                        !std::all_of(port.begin() + 1, port.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; }))) {
    return {};
  }
  std::string name = LowerCase(host.substr(0, end));
  if (name.size() > 1 && name.back() == '.') name.pop_back();
  return name;
}

bool IsApi(std::string_view path) { return path == "/api" || path.substr(0, 5) == "/api/"; }

}  // namespace

bool EqualSecrets(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ other));
  }
  return difference == 0;
}

bool IsLoopbackName(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1" || host == "[::1]";
}

bool AccessPolicy::IsOwnHost(std::string_view host) const {
  const std::string name = HostName(host);
  if (name.empty()) return false;
  if (IsLoopbackName(name)) return true;
  return std::any_of(options_.hosts.begin(), options_.hosts.end(),
                     [&](const std::string& own) { return LowerCase(own) == name; });
}

std::optional<Response> AccessPolicy::Refusal(const Request& request) const {
  if (!IsOwnHost(request.host)) {
    return ErrorResponse(403,
                         "this server does not have that name; start it with --allow-host NAME");
  }
  if (request.origin && *request.origin != "http://" + request.host &&
      *request.origin != "https://" + request.host) {
    return ErrorResponse(403, "requests from other sites are refused");
  }
  if (!IsApi(request.target.path)) return std::nullopt;
  if (request.fetch_site == "cross-site")
    return ErrorResponse(403, "requests from other sites are refused");
  if (options_.token.empty()) return std::nullopt;
  std::string_view given;
  if (request.authorization) given = *request.authorization;
  if (given.size() > kScheme.size() &&
      LowerCase(given.substr(0, kScheme.size())) == LowerCase(kScheme) &&
      EqualSecrets(given.substr(kScheme.size()), options_.token)) {
    return std::nullopt;
  }
  Response response =
      ErrorResponse(401, "the token is missing or wrong; `sightline url` prints the address");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace sightline::dashboard
