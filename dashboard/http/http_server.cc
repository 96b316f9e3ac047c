#include "sightline/dashboard/http/http_server.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/background_thread.h"
#include "sightline/dashboard/http/http_connection.h"

namespace sightline::dashboard {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::chrono::milliseconds kAcceptPause{100};

// Undoes SCHED_BATCH for this thread: while imports use all processors, a thread of that policy
// would get one only at the next tick of the scheduler, three times for each request.
void RunAtOnce() {
  const sched_param normal{};
  (void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &normal);
}

// How many connections the process has descriptors for: it asks for as many as `wanted` needs, and
// leaves kOwnFiles, or half of what it gets, for files.
std::size_t ConnectionsOf(std::size_t wanted) {
  constexpr rlim_t kOwnFiles = 256;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  const rlim_t needed = wanted + kOwnFiles;
  if (files.rlim_cur < needed) {
    rlimit raised = files;
    raised.rlim_cur = std::min(needed, files.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) files = raised;
  }
  if (files.rlim_cur >= needed) return wanted;
  return std::max(files.rlim_cur / 2, files.rlim_cur - std::min(files.rlim_cur, kOwnFiles));
}

class BeastServer final : public HttpServer {
 public:
  BeastServer(ServerOptions options, Handler handler)
      : options_(std::move(options)),
        work_(workers_.get_executor()),
        accept_pause_(sockets_),
        comments_(sockets_),
        acceptor_(sockets_) {
    context_.limits = options_.limits;
    context_.limits.connections = ConnectionsOf(options_.limits.connections);
    context_.handler = std::move(handler);
    context_.sockets = &sockets_;
    context_.workers = &workers_;
  }
  ~BeastServer() override { BeastServer::Stop(); }
  BeastServer(const BeastServer&) = delete;
  BeastServer& operator=(const BeastServer&) = delete;

  Status UseTls();
  Status Open();
  Status Run();
  std::uint16_t port() const override { return port_; }
  void Publish(std::string message) override;
  void Stop() override;

 private:
  void Accept();
  void OnAccept(const error_code& error, tcp::socket socket);
  bool MakeRoom();
  void ScheduleComment();
  void SendToAll(const std::string& message);
  // A connection that ends with its request starts the next waiting one; then there must be none.
  void DropWaiting() { const auto dropped = std::exchange(context_.waiting, {}); }

  const ServerOptions options_;
  ConnectionContext context_;  // Outlives the callbacks in the contexts below.
  std::uint16_t port_ = 0;
  std::optional<asio::ssl::context> tls_;
  asio::io_context sockets_{1};
  asio::io_context workers_;  // Holds connections, so it must end before their sockets' context.
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  asio::steady_timer accept_pause_;
  asio::steady_timer comments_;
  tcp::acceptor acceptor_;
  std::vector<std::thread> threads_;
  std::once_flag stopped_;
};

// TLS 1.2 and newer, with the ciphers that OpenSSL chooses.
Status BeastServer::UseTls() {
  if (options_.tls_certificate.empty() && options_.tls_key.empty()) return {};
  if (options_.tls_certificate.empty() || options_.tls_key.empty())
    return {StatusCode::kInvalidArgument, "TLS needs two files: a certificate and its key"};
  using Context = asio::ssl::context;
  tls_.emplace(Context::tls_server);
  error_code error;
  tls_->set_options(
      Context::default_workarounds | Context::no_sslv3 | Context::no_tlsv1 | Context::no_tlsv1_1,
      error);
  const auto refused = [&](const std::string& file) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("cannot use '{}' for TLS: {}", file, error.message()));
  };
  tls_->use_certificate_chain_file(options_.tls_certificate, error);
  if (error) return refused(options_.tls_certificate);
  // Also refuses a key of another certificate.
  tls_->use_private_key_file(options_.tls_key, Context::pem, error);
  if (error) return refused(options_.tls_key);
  context_.tls = &*tls_;
  return {};
}

Status BeastServer::Open() {
  error_code error;
  const std::string& name = options_.address;
  const asio::ip::address address =
      asio::ip::make_address(name == "localhost" ? "127.0.0.1" : name, error);
  if (error) {
    return {
        StatusCode::kInvalidArgument,
        fmt::format("'{}' is not an address of this machine; give a numeric one, e.g. 127.0.0.1",
                    name)};
  }
  for (int attempt = 0; attempt < options_.port_attempts; ++attempt) {
    const int port = options_.port + attempt;
    if (port > 65535) break;
    const tcp::endpoint endpoint(address, static_cast<std::uint16_t>(port));
    error = {};
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) {
      const tcp::endpoint bound = acceptor_.local_endpoint(error);
      if (!error) {
        port_ = bound.port();
        return {};
      }
    }
    error_code ignored;
    acceptor_.close(ignored);
    if (error != asio::error::address_in_use) break;
  }
  if (error == asio::error::address_in_use) {
    return {StatusCode::kUnavailable,
            fmt::format("port {} of {} is in use", options_.port, options_.address)};
  }
  return ErrnoStatus(fmt::format("cannot listen on {}:{}", options_.address, options_.port),
                     error.value());
}

Status BeastServer::Run() {
  Accept();
  ScheduleComment();
  auto sockets = StartBackgroundThread("sl-http", [this] {
    RunAtOnce();
    sockets_.run();
  });
  if (!sockets) return sockets.error();
  threads_.push_back(*std::move(sockets));
  for (int i = 0; i < options_.workers; ++i) {
    auto worker = StartBackgroundThread("sl-http-worker", [this] {
      RunAtOnce();
      workers_.run();
    });
    if (!worker && i == 0) return worker.error();
    if (worker) threads_.push_back(*std::move(worker));  // Fewer threads answer, too, more slowly.
  }
  return {};
}

void BeastServer::Accept() {
  acceptor_.async_accept(
      [this](const error_code& error, tcp::socket socket) { OnAccept(error, std::move(socket)); });
}

void BeastServer::OnAccept(const error_code& error, tcp::socket socket) {
  if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
  if (error) {
    // Most likely out of file descriptors.
    MakeRoom();
    accept_pause_.expires_after(kAcceptPause);
    accept_pause_.async_wait([this](const error_code& aborted) {
      if (!aborted && acceptor_.is_open()) Accept();
    });
    return;
  }
  if (context_.connections.size() < context_.limits.connections || MakeRoom()) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<HttpConnection>(context_, std::move(socket))->Start();
  }
  Accept();
}

// Closes the connection whose client has said nothing useful for longest: it has got no response
// yet, or, if there is none such, it waits between two requests. False if there is neither.
bool BeastServer::MakeRoom() {
  using Rank = std::pair<bool, std::chrono::steady_clock::time_point>;
  std::optional<Rank> idlest;
  HttpConnection* found = nullptr;
  for (HttpConnection* connection : context_.connections) {
    const auto since = connection->WaitingSince();
    if (!since) continue;
    const Rank rank{connection->was_answered(), *since};
    if (idlest && *idlest <= rank) continue;
    idlest = rank;
    found = connection;
  }
  if (found != nullptr) found->Close();
  return found != nullptr;
}

void BeastServer::ScheduleComment() {
  comments_.expires_after(options_.limits.comment_time);
  comments_.async_wait([this](const error_code& aborted) {
    if (aborted) return;
    SendToAll(": still here\n\n");
    ScheduleComment();
  });
}

void BeastServer::SendToAll(const std::string& message) {
  // A connection that is closed for being slow ends later, in its own callback.
  for (HttpConnection* stream : context_.streams) stream->Send(message);
}

void BeastServer::Publish(std::string message) {
  asio::post(sockets_, [this, message = std::move(message)] { SendToAll(message); });
}

void BeastServer::Stop() {
  std::call_once(stopped_, [this] {
    asio::post(sockets_, [this] {
      error_code ignored;
      acceptor_.close(ignored);
      accept_pause_.cancel();
      comments_.cancel();
      DropWaiting();
      for (HttpConnection* connection : context_.connections) connection->Close();
    });
    // Requests that wait for a worker are dropped; handlers that run are completed.
    workers_.stop();
    for (std::size_t i = 1; i < threads_.size(); ++i) threads_[i].join();
    // Responses that were made meanwhile end on their closed connections.
    asio::post(sockets_, [this] { sockets_.stop(); });
    if (!threads_.empty()) threads_.front().join();
    // A request may have started to wait after the others were dropped; its connection needs the
    // sockets' context to end.
    DropWaiting();
  });
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(ServerOptions options, Handler handler) {
  auto server = std::make_unique<BeastServer>(std::move(options), std::move(handler));
  SIGHTLINE_RETURN_IF_ERROR(server->UseTls());
  SIGHTLINE_RETURN_IF_ERROR(server->Open());
  SIGHTLINE_RETURN_IF_ERROR(server->Run());
  return server;
}

}  // namespace sightline::dashboard
