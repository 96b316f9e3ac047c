#include "sightline/dashboard/http/static_files.h"

#include <algorithm>
#include <array>

namespace sightline::dashboard {
namespace {

struct Type {
  std::string_view ending;
  std::string_view content_type;
  bool compressible;
};
constexpr std::array kTypes = {
    Type{".html", "text/html; charset=utf-8", true},
    Type{".js", "text/javascript; charset=utf-8", true},
    Type{".css", "text/css; charset=utf-8", true},
    Type{".svg", "image/svg+xml", true},
    Type{".json", "application/json", true},
    Type{".webmanifest", "application/manifest+json", true},
    Type{".txt", "text/plain; charset=utf-8", true},
    Type{".png", "image/png", false},
    Type{".ico", "image/x-icon", false},
    Type{".woff2", "font/woff2", false},
};

bool EndsWith(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

}  // namespace

std::optional<Response> StaticFiles::Find(std::string_view path) const {
  if (path == "/") path = "/index.html";
  const auto at = std::find_if(files_.begin(), files_.end(),
                               [&](const StaticFile& file) { return file.path == path; });
  if (at == files_.end()) return std::nullopt;
  Response response;
  response.content_type = "application/octet-stream";
  response.compressible = false;
  for (const Type& type : kTypes) {
    if (!EndsWith(path, type.ending)) continue;
    response.content_type = type.content_type;
    response.compressible = type.compressible;
  }
  response.body = std::string(at->bytes);
  response.immutable = path.substr(0, 8) == "/assets/";
  return response;
}

}  // namespace sightline::dashboard
