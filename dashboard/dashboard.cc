#include "sightline/dashboard/dashboard.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/version.h"
#include "sightline/dashboard/api.h"
#include "sightline/dashboard/api_profile.h"
#include "sightline/dashboard/target.h"

namespace sightline::dashboard {
namespace {

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
  return fmt::format("event: changes\nid: {}\ndata: {}\n\n", changes.generation,
                     json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

Status Check(const DashboardOptions& options) {
  if (options.roots.empty())
    return {StatusCode::kInvalidArgument, "which directory? Name at least one"};
  if (!IsLoopbackName(options.address)) {
    if (options.token.empty()) {
      return {StatusCode::kInvalidArgument,
              fmt::format("without a token the dashboard is served on this machine only, not on {}",
                          options.address)};
    }
    if (!options.plain_http) {
      return {StatusCode::kInvalidArgument,
              fmt::format("on {} token and data would go over the network unencrypted; use an ssh "
                          "tunnel, or say --plain-http",
                          options.address)};
    }
  }
  const std::string& base = options.base_path;
  const auto parsed = ParseTarget(base.empty() ? "/" : base);
  if (!base.empty() && (!parsed || parsed->path != base || !parsed->parameters.empty() ||
                        base.size() < 2 || base.back() == '/')) {
    return {StatusCode::kInvalidArgument,
            fmt::format("'{}' is no base path; give one like /sightline", base)};
  }
  if (options.allow_frame.find_first_of(" ;,\r\n") != std::string::npos) {
    return {StatusCode::kInvalidArgument,
            fmt::format("'{}' is no origin; give one like https://box.example.org",
                        options.allow_frame)};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Dashboard>> Dashboard::Start(DashboardOptions options) {
  SIGHTLINE_UNEXPECTED_IF_ERROR(Check(options));
  std::unique_ptr<Dashboard> dashboard(new Dashboard());
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(dashboard->file_system_,
                                 BeneathFileSystem::Open(options.roots, options.follow));
  const std::vector<std::string>& roots = dashboard->file_system_->roots();
  dashboard->catalog_ = std::make_unique<Catalog>(*dashboard->file_system_, roots);
  dashboard->profiles_ = std::make_unique<ProfileStore>(*dashboard->file_system_, roots);
  ServiceOptions service;
  service.access.token = options.token;
  service.access.hosts = options.hosts;
  service.access.hosts.push_back(options.address);
  if (options.address.find(':') != std::string::npos)
    service.access.hosts.back() = "[" + options.address + "]";
  service.base_path = options.base_path;
  service.allow_frame = options.allow_frame;
  dashboard->service_ = std::make_unique<Service>(std::move(service), StaticFiles());
  AddApi(*dashboard->service_, *dashboard->catalog_,
         {std::string(Version()), options.base_path, roots});
  AddProfileApi(*dashboard->service_, *dashboard->catalog_, *dashboard->profiles_);
  ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.port_attempts = options.port_attempts;
  server.limits = options.limits;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(
      dashboard->server_,
      HttpServer::Listen(std::move(server),
                         [service = dashboard->service_.get()](const Request& request) {
                           return service->Handle(request);
                         }));
  dashboard->options_ = std::move(options);
  SIGHTLINE_UNEXPECTED_IF_ERROR(
      dashboard->catalog_->Start([http = dashboard->server_.get()](const CatalogChanges& changes) {
        http->Publish(MessageOf(changes));
      }));
  return dashboard;
}

Dashboard::~Dashboard() { Stop(); }

void Dashboard::Stop() {
  // The catalog first: it tells the server of changes.
  if (catalog_) catalog_->Stop();
  if (server_) server_->Stop();
}

std::string Dashboard::UrlWithoutToken() const {
  std::string host = options_.address;
  if (host == "0.0.0.0" || host == "::") host = "127.0.0.1";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return fmt::format("http://{}:{}{}/", host, port(), options_.base_path);
}

std::string Dashboard::Url() const {
  return UrlWithoutToken() + (options_.token.empty() ? "" : "#token=" + options_.token);
}

}  // namespace sightline::dashboard
