// Service: what stands between a request and the handlers, whoever serves it: the base path, access
// (access_policy.h), the table of handlers, static files; on the way out the security headers,
// entity tags and gzip. Knows nothing of sockets; callable from any thread once it is set up.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sightline/dashboard/access_policy.h"
#include "sightline/dashboard/http_message.h"
#include "sightline/dashboard/static_files.h"

namespace sightline::dashboard {

struct ServiceOptions {
  AccessOptions access = {};
  std::string base_path = {};    // "" or "/x", without a slash at its end.
  std::string allow_frame = {};  // An origin that may frame the page; empty: none.
};

class Service {
 public:
  Service(ServiceOptions options, StaticFiles files);

  // `path` is whole and begins with "/api/v1/". GET and HEAD, and POST where it says so.
  void Add(std::string path, Handler handler, bool post = false);

  Answer Handle(const Request& request) const;

 private:
  struct Route {
    Handler handler;
    bool post = false;
  };
  Answer Dispatch(Request& request) const;
  void Finish(const Request& request, Answer& answer) const;

  ServiceOptions options_;
  AccessPolicy access_;
  StaticFiles files_;
  std::string content_policy_;
  std::map<std::string, Route, std::less<>> routes_;
};

}  // namespace sightline::dashboard
