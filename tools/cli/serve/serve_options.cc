#include "sightline/tools/cli/serve/serve_options.h"

#include <cstdio>

#include "sightline/runs/run_group.h"

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
  wanted.source_roots = options.source_roots;
  wanted.tls_certificate = options.tls_certificate;
  wanted.tls_key = options.tls_key;
  wanted.allow_write = options.allow_write;
  wanted.memory_limit = options.memory_limit;
  wanted.index_folder = DefaultIndexFolder().value_or("");
  if (!options.no_auth) {
    Result<std::string> token = state ? state->Token() : Result<std::string>(Error(state.error()));
    if (!token) {
      std::fprintf(stderr, "sightline: %s; the address holds for this start only\n",
                   std::string(token.error().message()).c_str());
      token = dashboard::MakeToken();
    }
    if (!token) return Error(token.error());
    wanted.token = *std::move(token);
  }
  if (!dashboard::IsLoopbackName(options.host) && options.tls_certificate.empty() &&
      options.plain_http) {
    std::fputs("sightline: token and data go over the network unencrypted (--plain-http)\n",
               stderr);
  }
  return wanted;
}

}  // namespace sightline
