// HttpServer: HTTP/1.1 over TCP, for one handler. One thread serves all sockets by callbacks, so an
// idle or slow client costs a few kilobytes and no thread. A few workers run the handler.
//
// The resources of a client are bounded (ServerLimits). A request that is too late, too long or
// malformed gets a response that says so, and the connection is closed.
//
//   auto server = HttpServer::Listen({.port = 0}, [](const Request& request) { return Response{};
//   }); Open("http://127.0.0.1:" + std::to_string((*server)->port()));
//
// The handler is called from several threads at once. Publish and Stop may be called from any.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/base/status.h"
#include "sightline/dashboard/http/http_message.h"

namespace sightline::dashboard {

struct ServerLimits {
  std::size_t header_bytes = std::size_t{16} << 10U;
  std::size_t body_bytes = std::size_t{1} << 20U;
  // Beyond it, the connection that has waited longest for its client's request is closed, those
  // first that have got no response yet; if none waits, the new one. Fewer if the process may not
  // open so many files.
  std::size_t connections = 1024;
  std::size_t requests = 64;  // Running or waiting; beyond it, the response is 503.
  std::size_t streams = 128;
  std::size_t stream_bytes = std::size_t{1} << 20U;  // Waiting for a client that does not read.
  // Of responses that clients have not read yet. Beyond it, requests wait until clients have read
  // more, and a client that does not read a piece within crowded_write_time is disconnected.
  std::size_t unread_bytes = std::size_t{1} << 30U;
  std::chrono::milliseconds idle_time{120'000};   // Until the first byte of a request.
  std::chrono::milliseconds header_time{10'000};  // From there until the header is whole.
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds write_time{60'000};  // For each piece of 256 KB.
  std::chrono::milliseconds crowded_write_time{2'000};
  std::chrono::milliseconds linger_time{2'000};    // For bytes that a refused client still sends.
  std::chrono::milliseconds comment_time{20'000};  // Between the comments that keep a stream alive.
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // A numeric address, or localhost.
  std::uint16_t port = 0;             // 0: any free one.
  int port_attempts = 1;              // How many ports are tried, from `port` on.
  int workers = 2;
  // Files in PEM form: the certificate with its chain, and its key. Both empty: plain HTTP.
  std::string tls_certificate = {};
  std::string tls_key = {};
  ServerLimits limits = {};
};

class HttpServer {
 public:
  // Listens, and serves requests from then on. kInvalidArgument if the address or the files for TLS
  // are not valid, kUnavailable if all ports are taken, kPermissionDenied if the system refuses.
  static Result<std::unique_ptr<HttpServer>> Listen(ServerOptions options, Handler handler);

  virtual ~HttpServer() = default;  // Stops.

  virtual std::uint16_t port() const = 0;
  // Sends a message, which is already in the form text/event-stream, to every stream.
  virtual void Publish(std::string message) = 0;
  // Closes every connection, and returns once no handler runs. A second call does nothing.
  virtual void Stop() = 0;
};

}  // namespace sightline::dashboard
