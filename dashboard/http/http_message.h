// Request and Response: plain values, so that handlers and their tests need no sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/http/target.h"

namespace sightline::dashboard {

enum class Method : std::uint8_t { kGet, kHead, kPost, kOther };

struct Request {
  Method method = Method::kGet;
  Target target;  // Without the base path.
  std::string host;
  std::optional<std::string> origin;
  std::optional<std::string> authorization;
  std::optional<std::string> fetch_site;  // Sec-Fetch-Site.
  std::string if_none_match;
  std::string content_type;
  bool accepts_gzip = false;
  std::string body;
};

struct Response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body;
  // Further headers. Neither names nor values may contain line breaks.
  std::vector<std::pair<std::string, std::string>> headers;
  // Without quotes. If empty, the server computes it from the body.
  std::string etag;
  // The client may cache the response forever (a file whose name contains its checksum, a value at
  // its place in a file).
  bool immutable = false;
  // False for data that is compressed already, such as pictures.
  bool compressible = true;
  // After the body, the messages of HttpServer::Publish are sent until the client closes.
  bool stream = false;
};

using Handler = std::function<Response(const Request&)>;

// {"error": {"code", "message"}}. If `code` is empty, it becomes the text of the HTTP status.
Response ErrorResponse(unsigned status, std::string_view message, std::string_view code = {});
// The same for a Status: 400 for kInvalidArgument, 404 for kNotFound, 500 for most others.
Response ErrorResponse(const Status& status);

Response JsonResponse(const nlohmann::ordered_json& json);

// "Not Found", ...
std::string_view StatusText(unsigned status);

}  // namespace sightline::dashboard
