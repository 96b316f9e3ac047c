// HttpServer: HTTP/1.1 over TCP, for one handler. Two threads wait on nothing but work: one serves
// all sockets by callbacks, so an idle or slow client costs a few kilobytes and no thread; a few
// workers run the handler.
//
// What a client may take is bounded: bytes and seconds of a header, of a body, seconds between two
// pieces of an answer that it reads, connections, requests that wait for a worker. What comes too
// late, too long or malformed is answered so and the connection closed.
//
//   auto server = HttpServer::Listen({.port = 0}, [](const Request& request) { return Answer{}; });
//   Open("http://127.0.0.1:" + std::to_string((*server)->port()));
//
// The handler is called from several threads at once. Publish and Stop may be called from any.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/base/status.h"
#include "sightline/dashboard/http_message.h"

namespace sightline::dashboard {

struct ServerLimits {
  std::size_t header_bytes = std::size_t{16} << 10U;
  std::size_t body_bytes = std::size_t{1} << 20U;
  std::size_t connections = 1024;  // Beyond it a new one is closed.
  std::size_t requests = 64;       // In work or waiting for it; beyond it the answer is 503.
  std::size_t streams = 128;
  std::size_t stream_bytes = std::size_t{1} << 20U;  // Waiting for a client that does not read.
  // Of answers that clients have not read yet. Beyond it requests wait until they have, and who
  // does not read a piece in the shorter time below loses the connection.
  std::size_t unread_bytes = std::size_t{1} << 30U;
  std::chrono::milliseconds idle_time{120'000};   // Until the first byte of a request.
  std::chrono::milliseconds header_time{10'000};  // From there until the header is whole.
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds write_time{60'000};  // For each piece of 256 KB.
  std::chrono::milliseconds crowded_write_time{2'000};
  std::chrono::milliseconds linger_time{2'000};    // Reading what a refused client still sends.
  std::chrono::milliseconds comment_time{20'000};  // Between two signs of life of a stream.
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // A numeric address, or localhost.
  std::uint16_t port = 0;             // 0: any free one.
  int port_attempts = 1;              // How many ports, from `port` on, are tried.
  int workers = 2;
  // Files in PEM form: the certificate with its chain, and its key. Both empty: plain HTTP.
  std::string tls_certificate = {};
  std::string tls_key = {};
  ServerLimits limits = {};
};

class HttpServer {
 public:
  // Listens, and answers from now on. kInvalidArgument for no address or no such files of TLS,
  // kUnavailable where all ports
  // are taken, kPermissionDenied where the system says so.
  static Result<std::unique_ptr<HttpServer>> Listen(ServerOptions options, Handler handler);

  virtual ~HttpServer() = default;  // Stops.

  virtual std::uint16_t port() const = 0;
  // Sends one message, already in its form (text/event-stream), to every stream.
  virtual void Publish(std::string message) = 0;
  // Closes every connection; returns once no handler runs. Idempotent.
  virtual void Stop() = 0;
};

}  // namespace sightline::dashboard
