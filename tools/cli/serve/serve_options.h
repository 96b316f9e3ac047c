// The command line of `serve` and `start`, and what it means to the dashboard.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/dashboard.h"
#include "sightline/dashboard/store/state_folder.h"

namespace sightline {

inline constexpr std::uint16_t kDashboardPort = 8080;

struct ServeOptions {
  std::vector<std::string> roots;
  std::uint16_t port = kDashboardPort;
  bool exact_port = false;  // No other one where it is taken.
  bool open = false;
  std::string host = "127.0.0.1";
  bool plain_http = false;
  std::vector<std::string> hosts;
  std::string allow_frame;
  bool no_auth = false;
  std::string base_path;
  std::vector<std::string> follow;
  std::vector<std::string> source_roots;
  std::string tls_certificate;
  std::string tls_key;
  bool allow_write = false;
  bool join = true;
  std::uint64_t memory_limit = 0;  // Bytes; 0: none.
};

// A line for each root in which links lead to directories that are not served: "2 links in /out
// lead out of it, such as /out/old; `--follow /data` shows what is there". Looks at the entries of
// the roots themselves.
std::vector<std::string> LinksThatLeadOut(const ServeOptions& options);

// The token is the state folder's; where there is no such folder, one for this start.
Result<dashboard::DashboardOptions> DashboardOptionsOf(const ServeOptions& options,
                                                       const Result<dashboard::StateFolder>& state);

}  // namespace sightline
