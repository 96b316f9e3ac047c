// HttpConnection: the connection of one client. It reads a request, hands it to the workers, writes
// the response, and starts over. Private to this folder.
//
// It lives as long as one of its callbacks waits. Everything except the handler runs on the
// server's socket thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sightline/dashboard/http/client_stream.h"
#include "sightline/dashboard/http/http_message.h"
#include "sightline/dashboard/http/http_server.h"

namespace sightline::dashboard {

class HttpConnection;

// The state that the connections of a server share. Only the socket thread uses it; the workers
// call `handler`.
struct ConnectionContext {
  ServerLimits limits;
  Handler handler;
  boost::asio::ssl::context* tls = nullptr;  // Null: without TLS.
  boost::asio::io_context* sockets = nullptr;
  boost::asio::io_context* workers = nullptr;
  std::set<HttpConnection*> connections;
  std::set<HttpConnection*> streams;
  std::size_t requests = 0;
  std::size_t unread_bytes = 0;               // Of responses that clients have not read completely.
  std::deque<std::function<void()>> waiting;  // Requests that wait until clients have read more.
};

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(ConnectionContext& context, boost::asio::ip::tcp::socket socket);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void Start();
  // Sends a message of a stream, after those that are queued.
  void Send(const std::string& message);
  void Close();

  // Since when the server waits for this client to complete its TLS handshake or its next request;
  // nothing if it does not wait, or if the connection is closed.
  std::optional<std::chrono::steady_clock::time_point> WaitingSince();
  // Whether a request of it was answered, not refused.
  bool was_answered() const { return was_answered_; }

 private:
  using Error = boost::system::error_code;
  template <typename Member>
  auto Bind(Member member) {
    return [self = shared_from_this(), member](const Error& error, std::size_t bytes) {
      ((*self).*member)(error, bytes);
    };
  }

  // Aborts the operation that starts now unless it ends within `time`, and sets `timed_out_`.
  // (Beast's own timeouts close the socket, so the client would not get a response.)
  void SetDeadline(std::chrono::milliseconds time);
  void OnHandshake(const Error& error);
  void AwaitRequest();
  void OnFirstBytes(const Error& error, std::size_t bytes);
  void ReadHeader();
  void OnHeader(const Error& error, std::size_t bytes);
  void OnBody(const Error& error, std::size_t bytes);
  void Refuse(const Error& error);
  void Dispatch();
  void Work(Request request);
  // Count the bytes of a response (except a stream) as unread, and as read.
  void HoldBytes(std::size_t bytes);
  void ReleaseBytes();
  std::chrono::milliseconds WriteTime() const;
  void WriteResponse(Response response);
  void WritePiece();
  void OnPiece(const Error& error, std::size_t bytes);
  void StartStream();
  void OnStreamRead(const Error& error, std::size_t bytes);
  void Linger();
  void OnLinger(const Error& error, std::size_t bytes);

  ConnectionContext& context_;
  ClientStream stream_;
  boost::asio::steady_timer timer_;
  bool timed_out_ = false;
  bool was_answered_ = false;
  std::optional<std::chrono::steady_clock::time_point> waiting_since_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  bool keep_alive_ = false;
  bool head_only_ = false;
  bool becomes_stream_ = false;
  bool is_stream_ = false;
  bool writing_ = false;
  std::deque<std::string> output_;  // To be written; the first one from `written_` on.
  std::size_t written_ = 0;
  std::size_t queued_ = 0;  // Bytes of output_.
  std::size_t unread_ = 0;  // The bytes that HoldBytes counted.
  std::size_t lingered_ = 0;
  char drain_[4096];
};

}  // namespace sightline::dashboard
