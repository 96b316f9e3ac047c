// Service: makes the response to a request. It checks base path and access (access_policy.h), finds
// the handler or the static file, and adds security headers, the entity tag and gzip to the
// response. It knows nothing of sockets. May be called from any thread once all handlers are added.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sightline/dashboard/http/access_policy.h"
#include "sightline/dashboard/http/http_message.h"
#include "sightline/dashboard/http/static_files.h"

namespace sightline::dashboard {

struct ServiceOptions {
  AccessOptions access = {};
  std::string base_path = {};    // "" or "/x", without a slash at the end.
  std::string allow_frame = {};  // An origin that may show the page in a frame; empty: none.
};

class Service {
 public:
  Service(ServiceOptions options, StaticFiles files);

  // `path` is the whole path, which begins with "/api/v1/". The handler gets GET and HEAD; with
  // `post`, POST, too.
  void Add(std::string path, Handler handler, bool post = false);

  Response Handle(const Request& original) const;

 private:
  struct Route {
    Handler handler;
    bool post = false;
  };
  Response Dispatch(Request& request) const;
  void Finish(const Request& request, Response& response) const;

  ServiceOptions options_;
  AccessPolicy access_;
  StaticFiles files_;
  std::string content_policy_;
  std::map<std::string, Route, std::less<>> routes_;
};

}  // namespace sightline::dashboard
