// Dashboard: the server of a directory's runs, whole: files beneath the roots, their runs and what
// becomes of them, the page, access.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(auto dashboard, Dashboard::Start({.roots = {"output"}, .token =
//   token})); std::puts(dashboard->Url().c_str());
//
// It answers at once, while it still reads. May be used from any thread; the destructor stops it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/beneath_file_system.h"
#include "sightline/dashboard/catalog.h"
#include "sightline/dashboard/http_server.h"
#include "sightline/dashboard/ir_store.h"
#include "sightline/dashboard/kept_notes.h"
#include "sightline/dashboard/profile_store.h"
#include "sightline/dashboard/service.h"
#include "sightline/dashboard/source_texts.h"

namespace sightline::dashboard {

struct DashboardOptions {
  std::vector<std::string> roots;
  std::vector<std::string> follow = {};        // Directories outside that links may lead into.
  std::vector<std::string> source_roots = {};  // Whose sources are shown as text.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;            // 0: any free one.
  int port_attempts = 1;             // How many ports from `port` on are tried.
  std::string token = {};            // Empty: nobody is asked for one; on loopback only.
  std::string tls_certificate = {};  // PEM files; empty: plain HTTP.
  std::string tls_key = {};
  bool plain_http = false;  // Needed without TLS for an address that other machines reach.
  std::vector<std::string> hosts = {};  // Further names of this machine.
  std::string base_path = {};           // "/x"
  std::string allow_frame = {};
  bool allow_write = false;       // Notes, in a file of each root (kept_notes.h).
  std::string index_folder = {};  // Where what was read is kept (catalog.h); empty: nowhere.
  // Bytes of memory to stay below; 0: no limit. Needs an index folder.
  std::uint64_t memory_limit = 0;
  ServerLimits limits = {};
};

class Dashboard {
 public:
  // kInvalidArgument for options that would let others in, kNotFound for a root that is none, and
  // the errors of HttpServer::Listen.
  static Result<std::unique_ptr<Dashboard>> Start(DashboardOptions options);
  ~Dashboard();
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;

  std::uint16_t port() const { return server_->port(); }
  // "http://127.0.0.1:8080/"; with the token in its fragment, which browsers send to nobody.
  std::string Url() const;
  std::string UrlWithoutToken() const;

  Catalog& catalog() { return *catalog_; }
  void Stop();

 private:
  Dashboard() = default;

  DashboardOptions options_;
  std::unique_ptr<BeneathFileSystem> file_system_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<KeptNotes> notes_;
  std::unique_ptr<IrStore> dumps_;
  std::unique_ptr<SourceTexts> sources_;
  std::unique_ptr<ProfileStore> profiles_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace sightline::dashboard
