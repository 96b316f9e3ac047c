#include "sightline/dashboard/dashboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json/json_line.h"
#include "sightline/base/version.h"
#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_profile.h"
#include "sightline/dashboard/http/target.h"

namespace sightline::dashboard {
namespace {

// Enough for the program and a thousand runs without their points.
constexpr std::uint64_t kLeastMemory = std::uint64_t{128} << 20U;

// The shares of a memory limit. The rest is for the program itself, the facts about each run, and
// work in progress.
CatalogOptions CatalogOptionsOf(const DashboardOptions& options) {
  CatalogOptions catalog;
  if (!options.index_folder.empty()) catalog.index_folder = options.index_folder;
  catalog.join = options.join;
  catalog.points_bytes = options.memory_limit / 5;
  catalog.reading_bytes = options.memory_limit / 16;
  return catalog;
}

// Below a memory limit, imports take turns.
ImportOptions ImportOptionsOf(const DashboardOptions& options) {
  ImportOptions imports;
  if (options.memory_limit > 0) imports.at_once = 1;
  return imports;
}

ApiLimits ApiLimitsOf(const DashboardOptions& options) {
  ApiLimits limits;
  if (options.memory_limit > 0)
    limits.response_bytes = std::min(limits.response_bytes, options.memory_limit / 16);
  return limits;
}

// A dump takes two to four times its size while it is read, and half of that afterwards.
std::uint64_t MostBytesOfDump(const DashboardOptions& options) {
  if (options.memory_limit == 0) return IrStore::kMostBytes;
  return std::min(IrStore::kMostBytes, options.memory_limit / 8);
}

std::string_view NameOf(CatalogChange::What what) {
  switch (what) {
    case CatalogChange::What::kNew:
      return "new";
    case CatalogChange::What::kGrew:
      return "grew";
    case CatalogChange::What::kChanged:
      return "changed";
    case CatalogChange::What::kState:
      return "state";
    case CatalogChange::What::kGone:
      return "gone";
  }
  return "changed";
}

std::string MessageOf(const CatalogChanges& changes) {
  nlohmann::ordered_json json = {{"generation", changes.generation},
                                 {"loading", changes.loading},
                                 {"runs", nlohmann::ordered_json::array()}};
  for (const CatalogChange& change : changes.runs)
    json["runs"].push_back({{"run", change.id}, {"change", NameOf(change.what)}});
  return fmt::format("event: changes\nid: {}\ndata: {}\n\n", changes.generation, JsonLine(json));
}

Status Check(const DashboardOptions& options) {
  if (options.roots.empty()) return {StatusCode::kInvalidArgument, "name at least one directory"};
  if (!IsLoopbackName(options.address)) {
    if (options.token.empty()) {
      return {
          StatusCode::kInvalidArgument,
          fmt::format("without a token the dashboard can only be served on this machine, not on {}",
                      options.address)};
    }
    if (!options.plain_http && options.tls_certificate.empty()) {
      return {StatusCode::kInvalidArgument,
              fmt::format("on {} token and data would go over the network unencrypted; use an ssh "
                          "tunnel, name files with --tls-cert and --tls-key, or say --plain-http",
                          options.address)};
    }
  }
  if (options.memory_limit > 0 && options.memory_limit < kLeastMemory) {
    return {StatusCode::kInvalidArgument,
            fmt::format("a memory limit of {} MB is too small; give {} MB or more",
                        options.memory_limit >> 20U, kLeastMemory >> 20U)};
  }
  if (options.memory_limit > 0 && options.index_folder.empty()) {
    return {StatusCode::kInvalidArgument,
            "a memory limit needs a folder for the index; set HOME or XDG_CACHE_HOME"};
  }
  const std::string& base = options.base_path;
  // What a URL, a header and HTML can have without escapes; also no '#', behind which the token is.
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  const auto parsed = ParseTarget(base.empty() ? "/" : base);
  if (!base.empty() &&
      (!parsed || base.find_first_not_of(kPlain) != std::string::npos || parsed->path != base ||
       !parsed->parameters.empty() || base.size() < 2 || base.back() == '/')) {
    return {StatusCode::kInvalidArgument,
            fmt::format("'{}' is not a base path; give one like /sightline", base)};
  }
  if (options.allow_frame.find_first_of(" ;,\r\n") != std::string::npos) {
    return {StatusCode::kInvalidArgument,
            fmt::format("'{}' is not an origin; give one like https://box.example.org",
                        options.allow_frame)};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Dashboard>> Dashboard::Start(DashboardOptions options) {
  SIGHTLINE_RETURN_IF_ERROR(Check(options));
  std::unique_ptr<Dashboard> dashboard(new Dashboard());
  SIGHTLINE_ASSIGN_OR_RETURN(dashboard->file_system_,
                             BeneathFileSystem::Open(options.roots, options.follow));
  const std::vector<std::string>& roots = dashboard->file_system_->roots();
  CatalogOptions catalog = CatalogOptionsOf(options);
  catalog.file_system = dashboard->file_system_.get();
  dashboard->catalog_ = std::make_unique<Catalog>(roots, catalog);
  dashboard->notes_ = std::make_unique<RunNotes>(
      roots, options.allow_write ? RunNotes::Access::kWrite : RunNotes::Access::kRead);
  dashboard->imports_ =
      std::make_unique<BackgroundImports>(*dashboard->file_system_, ImportOptionsOf(options));
  dashboard->profiles_ =
      std::make_unique<ProfileStore>(*dashboard->file_system_, roots, *dashboard->imports_);
  ServiceOptions service;
  service.access.token = options.token;
  service.access.hosts = options.hosts;
  service.access.hosts.push_back(options.address);
  if (options.address.find(':') != std::string::npos)
    service.access.hosts.back() = "[" + options.address + "]";
  service.base_path = options.base_path;
  service.allow_frame = options.allow_frame;
  dashboard->service_ = std::make_unique<Service>(std::move(service), StaticFiles());
  SIGHTLINE_ASSIGN_OR_RETURN(dashboard->sources_, SourceTexts::Open(options.source_roots));
  dashboard->dumps_ = std::make_unique<IrStore>(*dashboard->file_system_, roots,
                                                *dashboard->imports_, MostBytesOfDump(options));
  AddApi(*dashboard->service_, *dashboard->catalog_, {*dashboard->dumps_, *dashboard->imports_},
         {.version = std::string(Version()),
          .base_path = options.base_path,
          .roots = roots,
          .writable = options.allow_write,
          .has_kept = [notes = dashboard->notes_.get()] { return notes->Any(); },
          .join = options.join,
          .has_sources = dashboard->sources_->any(),
          .limits = ApiLimitsOf(options)});
  AddExportedApi(*dashboard->service_, *dashboard->catalog_, *dashboard->file_system_);
  AddConsoleApi(*dashboard->service_, *dashboard->catalog_, *dashboard->file_system_);
  AddSourceApi(*dashboard->service_, *dashboard->sources_);
  AddIrApi(*dashboard->service_, *dashboard->dumps_);
  AddKeptApi(*dashboard->service_, *dashboard->notes_);
  AddProfileApi(*dashboard->service_, *dashboard->catalog_, *dashboard->profiles_);
  ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.port_attempts = options.port_attempts;
  server.limits = options.limits;
  if (options.memory_limit > 0)
    server.limits.unread_bytes = std::min(server.limits.unread_bytes, options.memory_limit / 4);
  server.tls_certificate = options.tls_certificate;
  server.tls_key = options.tls_key;
  SIGHTLINE_ASSIGN_OR_RETURN(
      dashboard->server_,
      HttpServer::Listen(std::move(server),
                         [service = dashboard->service_.get()](const Request& request) {
                           return service->Handle(request);
                         }));
  dashboard->options_ = std::move(options);
  HttpServer* const http = dashboard->server_.get();
  RunNotes* const notes = dashboard->notes_.get();
  notes->ChangedSinceAsked();
  SIGHTLINE_RETURN_IF_ERROR(dashboard->catalog_->Start(
      [http](const CatalogChanges& changes) { http->Publish(MessageOf(changes)); },
      [http, notes] {
        if (notes->ChangedSinceAsked()) http->Publish("event: kept\ndata: {}\n\n");
      }));
  return dashboard;
}

Dashboard::~Dashboard() { Stop(); }

void Dashboard::Stop() {
  // The catalog first, since it notifies the server of changes.
  if (catalog_) catalog_->Stop();
  if (server_) server_->Stop();
  if (imports_) imports_->Stop();
}

std::string Dashboard::UrlWithoutToken() const {
  std::string host = options_.address;
  if (host == "0.0.0.0" || host == "::") host = "127.0.0.1";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return fmt::format("{}://{}:{}{}/", options_.tls_certificate.empty() ? "http" : "https", host,
                     port(), options_.base_path);
}

std::string Dashboard::Url() const {
  return UrlWithoutToken() + (options_.token.empty() ? "" : "#token=" + options_.token);
}

}  // namespace sightline::dashboard
