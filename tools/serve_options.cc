#include "sightline/tools/serve_options.h"

#include <cstdio>

namespace sightline {
namespace {

constexpr int kPortAttempts = 100;

}  // namespace

Result<dashboard::DashboardOptions> DashboardOptionsOf(
    const ServeOptions& options, const Result<dashboard::StateFolder>& state) {
  dashboard::DashboardOptions wanted;
  wanted.roots = options.roots;
  wanted.follow = options.follow;
  wanted.address = options.host;
  wanted.port = options.port;
  wanted.port_attempts = options.exact_port || options.port == 0 ? 1 : kPortAttempts;
  wanted.plain_http = options.plain_http;
  wanted.hosts = options.hosts;
  wanted.base_path = options.base_path;
  wanted.allow_frame = options.allow_frame;
  if (!options.no_auth) {
    Result<std::string> token =
        state ? state->Token() : Result<std::string>(tl::unexpected(state.error()));
    if (!token) {
      std::fprintf(stderr, "sightline: %s; the address holds for this start only\n",
                   std::string(token.error().message()).c_str());
      token = dashboard::MakeToken();
    }
    if (!token) return tl::unexpected(token.error());
    wanted.token = *std::move(token);
  }
  if (!dashboard::IsLoopbackName(options.host) && options.plain_http) {
    std::fputs("sightline: token and data go over the network unencrypted (--plain-http)\n",
               stderr);
  }
  return wanted;
}

}  // namespace sightline
