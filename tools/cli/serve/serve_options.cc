#include "sightline/tools/cli/serve/serve_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "sightline/base/text/shell_word.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr int kPortAttempts = 100;

std::string RealPath(const std::string& path) {
  std::error_code error;
  return std::filesystem::canonical(path, error).string();
}

bool IsBeneath(const std::string& directory, const std::string& path) {
  return !directory.empty() &&
         (path == directory || path.starts_with(directory == "/" ? "/" : directory + "/"));
}

}  // namespace

std::vector<std::string> LinksThatLeadOut(const ServeOptions& options) {
  std::vector<std::string> served;
  for (const auto* directories : {&options.roots, &options.follow})
    for (const std::string& directory : *directories) served.push_back(RealPath(directory));
  std::vector<std::string> lines;
  for (const std::string& root : options.roots) {
    std::uint64_t count = 0;
    std::string link;
    std::string target;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
      if (!entry.is_symlink(error) || !entry.is_directory(error)) continue;
      const std::string real = RealPath(entry.path().string());
      const auto holds = [&](const std::string& one) { return IsBeneath(one, real); };
      if (std::any_of(served.begin(), served.end(), holds)) continue;
      if (count++ > 0 && entry.path().string() > link) continue;
      link = entry.path().string();
      target = real;
    }
    if (count == 0) continue;
    lines.push_back(
        fmt::format("{} in {} {} out of it, such as {}; `--follow {}` shows what is there",
                    Count(count, "link"), root, count == 1 ? "leads" : "lead", link,
                    ShellWord(DirectoryOf(target))));
  }
  return lines;
}

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
  wanted.join = options.join;
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
