// ClientStream: a connected socket, with or without TLS. Reading and writing are the same for both.
// It is an AsyncStream in the sense of Boost.Asio and Beast. Private to this folder.
//
// Only the server's socket thread uses it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <optional>
#include <utility>

namespace sightline::dashboard {

class ClientStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using executor_type = Socket::executor_type;  // NOLINT(readability-identifier-naming): Asio's.

  // Without TLS if `tls` is null; otherwise it must outlive the stream.
  ClientStream(Socket socket, boost::asio::ssl::context* tls) : socket_(std::move(socket)) {
    if (tls != nullptr) tls_.emplace(socket_, *tls);
  }

  // NOLINTBEGIN(readability-identifier-naming): Asio's.
  executor_type get_executor() { return socket_.get_executor(); }
  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_read_some(buffers, std::forward<Token>(token));
    return socket_.async_read_some(buffers, std::forward<Token>(token));
  }
  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->async_write_some(buffers, std::forward<Token>(token));
    return socket_.async_write_some(buffers, std::forward<Token>(token));
  }
  // NOLINTEND(readability-identifier-naming)

  bool encrypted() const { return tls_.has_value(); }
  // REQUIRES: encrypted().
  template <typename Token>
  void Handshake(Token&& token) {
    tls_->async_handshake(boost::asio::ssl::stream_base::server, std::forward<Token>(token));
  }
  Socket& socket() { return socket_; }

 private:
  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

}  // namespace sightline::dashboard
