// What a request asks and what it is answered, as plain values: handlers know nothing of sockets,
// and tests of handlers need none.
//
// Plain data; an Answer's body may be shared between connections and is never changed once it is
// handed out.
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
#include "sightline/dashboard/target.h"

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

struct Answer {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body;
  // Further headers; neither names nor values hold line breaks.
  std::vector<std::pair<std::string, std::string>> headers;
  // Without quotes; empty: worked out from the body by the server.
  std::string etag;
  // May be kept for good (a file whose name has its checksum, a value at its place).
  bool immutable = false;
  // Pictures are compressed already.
  bool compressible = true;
  // The body is followed by the messages of the event hub until the client goes.
  bool stream = false;
};

using Handler = std::function<Answer(const Request&)>;

// {"error": {"code", "message"}}. `code` is the text of the HTTP status where none is given.
Answer ErrorAnswer(unsigned status, std::string_view message, std::string_view code = {});
// The same of a Status: 400 for an argument, 404 for what is not there, 500 for the rest.
Answer ErrorAnswer(const Status& status);

Answer JsonAnswer(const nlohmann::ordered_json& json);

// "Not Found", ...
std::string_view StatusText(unsigned status);

}  // namespace sightline::dashboard
