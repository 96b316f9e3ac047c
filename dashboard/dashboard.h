// Dashboard: the whole server. It finds the runs beneath the root directories, follows them, and
// serves them with the page to those who have the token.
//
//   auto dashboard = Dashboard::Start({.roots = {"output"}, .token = token});
//   if (!dashboard) return dashboard.error();
//   std::puts((*dashboard)->Url().c_str());
//
// It serves requests from the start, while it still reads the runs. May be used from any thread;
// the destructor stops it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/http/http_server.h"
#include "sightline/dashboard/http/service.h"
#include "sightline/dashboard/store/background_imports.h"
#include "sightline/dashboard/store/beneath_file_system.h"
#include "sightline/dashboard/store/catalog.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/dashboard/store/profile_store.h"
#include "sightline/dashboard/store/run_notes.h"
#include "sightline/dashboard/store/source_texts.h"

namespace sightline::dashboard {

struct DashboardOptions {
  std::vector<std::string> roots;
  std::vector<std::string> follow = {};  // Directories outside the roots that links may lead into.
  std::vector<std::string> source_roots = {};  // Directories whose source files are shown as text.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;            // 0: any free one.
  int port_attempts = 1;             // How many ports are tried, from `port` on.
  std::string token = {};            // Empty: no token is needed; only on loopback addresses.
  std::string tls_certificate = {};  // PEM files; empty: plain HTTP.
  std::string tls_key = {};
  // Allows plain HTTP on an address that other machines can reach.
  bool plain_http = false;
  std::vector<std::string> hosts = {};  // Further names of this machine.
  std::string base_path = {};           // "/x"
  std::string allow_frame = {};
  bool allow_write = false;       // Allows notes, in a file in each root (run_notes.h).
  std::string index_folder = {};  // For the index of the runs (catalog.h); empty: no index.
  bool join = true;               // See RunGroupOptions.
  // The memory to stay below, in bytes; 0: no limit. Needs an index folder.
  std::uint64_t memory_limit = 0;
  ServerLimits limits = {};
};

class Dashboard {
 public:
  // kInvalidArgument for options that are unsafe or contradict each other, kNotFound if a root does
  // not exist, and the errors of HttpServer::Listen.
  static Result<std::unique_ptr<Dashboard>> Start(DashboardOptions options);
  ~Dashboard();
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;

  std::uint16_t port() const { return server_->port(); }
  // "http://127.0.0.1:8080/" with the token in the fragment, which browsers do not send.
  std::string Url() const;
  std::string UrlWithoutToken() const;

  Catalog& catalog() { return *catalog_; }
  void Stop();

 private:
  Dashboard() = default;

  DashboardOptions options_;
  std::unique_ptr<BeneathFileSystem> file_system_;
  std::unique_ptr<BackgroundImports> imports_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<RunNotes> notes_;
  std::unique_ptr<IrStore> dumps_;
  std::unique_ptr<SourceTexts> sources_;
  std::unique_ptr<ProfileStore> profiles_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace sightline::dashboard
