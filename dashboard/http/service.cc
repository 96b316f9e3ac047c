#include "sightline/dashboard/http/service.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "sightline/base/compress/gzip.h"
#include "sightline/base/digest/sha256.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kWorthCompressing = 1024;
// Higher levels take three times as long and save 2 % of series of floats.
constexpr int kGzipLevel = 4;
// Hexadecimal digits of SHA-256 that distinguish the versions of one response.
constexpr std::size_t kTagDigits = 24;

std::string ContentPolicy(const std::string& allow_frame) {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
         "media-src blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
         "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors " +
         (allow_frame.empty() ? "'none'" : allow_frame);
}

std::string TagOf(std::string_view body) { return Sha256Hex(body).substr(0, kTagDigits); }

// If-None-Match: a list of tags, weak or strong, or '*' (RFC 9110, 13.1.2).
bool Matches(std::string_view list, const std::string& tag) {
  return list == "*" || list.find('"' + tag + '"') != std::string_view::npos;
}

}  // namespace

Service::Service(ServiceOptions options, StaticFiles files)
    : options_(std::move(options)),
      access_(options_.access),
      files_(files),
      content_policy_(ContentPolicy(options_.allow_frame)) {}

void Service::Add(std::string path, Handler handler, bool post) {
  routes_[std::move(path)] = {std::move(handler), post};
}

Response Service::Handle(const Request& original) const {
  Request request = original;
  Response response;
  // A handler that throws (above all, out of memory) fails its request, not the server.
  try {
    response = Dispatch(request);
  } catch (const std::exception& error) {
    response = ErrorResponse(500, error.what());
  }
  Finish(request, response);
  return response;
}

Response Service::Dispatch(Request& request) const {
  const std::string& base = options_.base_path;
  if (!base.empty()) {
    std::string& path = request.target.path;
    if (path == base) {
      Response response = ErrorResponse(308, "the page is at " + base + "/");
      response.headers.emplace_back("Location", base + "/");
      return response;
    }
    if (path.compare(0, base.size() + 1, base + "/") != 0)
      return ErrorResponse(404, "the page is at " + base + "/");
    path.erase(0, base.size());
  }
  if (auto refusal = access_.Refusal(request)) return *std::move(refusal);
  const auto route = routes_.find(request.target.path);
  const bool reads = request.method == Method::kGet || request.method == Method::kHead;
  if (route != routes_.end()) {
    if (!reads && !(request.method == Method::kPost && route->second.post))
      return ErrorResponse(405, "this address does not have this method");
    if (request.method == Method::kPost &&
        request.content_type.compare(0, 16, "application/json") != 0) {
      return ErrorResponse(400, "the body must be JSON (Content-Type: application/json)");
    }
    return route->second.handler(request);
  }
  if (!reads) return ErrorResponse(405, "the dashboard is read-only");
  if (auto file = files_.Find(request.target.path)) return *std::move(file);
  return ErrorResponse(404, "there is nothing at this address");
}

void Service::Finish(const Request& request, Response& response) const {
  const auto add = [&](const char* name, std::string value) {
    response.headers.emplace_back(name, std::move(value));
  };
  add("X-Content-Type-Options", "nosniff");
  add("Content-Security-Policy", content_policy_);
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cross-Origin-Resource-Policy", "same-origin");
  if (options_.allow_frame.empty()) add("X-Frame-Options", "DENY");
  add("Cache-Control", response.stream || response.status != 200 ? "no-store"
                       : response.immutable ? "private, max-age=31536000, immutable"
                                            : "private, no-cache");
  if (response.stream || response.status != 200) return;
  if (request.method != Method::kPost) {
    if (response.etag.empty()) response.etag = TagOf(response.body);
    add("ETag", "W/\"" + response.etag + "\"");
    add("Vary", "Accept-Encoding");
    if (Matches(request.if_none_match, response.etag)) {
      response.status = 304;
      response.body.clear();
      return;
    }
  }
  if (request.accepts_gzip && response.compressible && response.body.size() >= kWorthCompressing) {
    std::string packed = Gzip(response.body, kGzipLevel);
    if (packed.size() < response.body.size()) {
      response.body = std::move(packed);
      add("Content-Encoding", "gzip");
    }
  }
}

}  // namespace sightline::dashboard
