#include "sightline/dashboard/http/http_connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <string_view>
#include <utility>

namespace sightline::dashboard {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;
constexpr std::size_t kMaxLinger = std::size_t{4} << 20U;
constexpr std::size_t kFirstRead = 4096;

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

// Whether a list of codings has gzip and does not refuse it.
bool AcceptsGzip(std::string_view codings) {
  const std::size_t at = codings.find("gzip");
  if (at == std::string_view::npos) return false;
  const std::string_view rest = codings.substr(at + 4, codings.find(',', at) - at - 4);
  return rest.find("q=0") == std::string_view::npos || rest.find("q=0.") != std::string_view::npos;
}

// Whether the message says where it ends in a way that nobody can read differently (RFC 9112,
// section 6.3). Otherwise a proxy and this server may disagree about where the next one begins.
bool HasKnownLength(const http::request<http::string_body>& message) {
  const std::size_t codings = message.count(http::field::transfer_encoding);
  if (codings == 0) return message.count(http::field::content_length) <= 1;
  return codings == 1 && message.version() >= 11 &&
         message.count(http::field::content_length) == 0 &&
         beast::iequals(message[http::field::transfer_encoding], "chunked");
}

Result<Request> ToRequest(http::request<http::string_body>& message) {
  if (message.count(http::field::host) != 1)
    return sightline::Error(StatusCode::kInvalidArgument, "a request must name exactly one host");
  Request request;
  SIGHTLINE_ASSIGN_OR_RETURN(request.target, ParseTarget(View(message.target())));
  request.method = Method::kOther;
  if (message.method() == http::verb::get) request.method = Method::kGet;
  if (message.method() == http::verb::head) request.method = Method::kHead;
  if (message.method() == http::verb::post) request.method = Method::kPost;
  const auto optional = [&](http::field name) -> std::optional<std::string> {
    const auto at = message.find(name);
    if (at == message.end()) return std::nullopt;
    return std::string(View(at->value()));
  };
  request.host = optional(http::field::host).value_or("");
  request.origin = optional(http::field::origin);
  request.authorization = optional(http::field::authorization);
  if (const auto at = message.find("Sec-Fetch-Site"); at != message.end())
    request.fetch_site = std::string(View(at->value()));
  request.if_none_match = optional(http::field::if_none_match).value_or("");
  request.content_type = optional(http::field::content_type).value_or("");
  request.accepts_gzip = AcceptsGzip(View(message[http::field::accept_encoding]));
  request.body = std::move(message.body());
  return request;
}

std::string HeaderOf(const Response& response, bool keep_alive) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " ";
  head += StatusText(response.status);
  head += "\r\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (response.status != 304) add("Content-Type", response.content_type);
  if (!response.stream && response.status != 304)
    add("Content-Length", std::to_string(response.body.size()));
  for (const auto& [name, value] : response.headers) add(name, value);
  add("Connection", keep_alive ? "keep-alive" : "close");
  return head + "\r\n";
}

}  // namespace

HttpConnection::HttpConnection(ConnectionContext& context, asio::ip::tcp::socket socket)
    : context_(context),
      stream_(std::move(socket), context.tls),
      timer_(*context.sockets),
      // A header and the first bytes after it.
      buffer_(context.limits.header_bytes + (std::size_t{64} << 10U)) {
  context_.connections.insert(this);
}

HttpConnection::~HttpConnection() {
  context_.connections.erase(this);
  context_.streams.erase(this);
  ReleaseBytes();
}

std::optional<std::chrono::steady_clock::time_point> HttpConnection::WaitingSince() {
  if (!stream_.socket().is_open()) return std::nullopt;
  return waiting_since_;
}

void HttpConnection::Start() {
  waiting_since_ = std::chrono::steady_clock::now();
  if (!stream_.encrypted()) return AwaitRequest();
  SetDeadline(context_.limits.header_time);
  stream_.Handshake([self = shared_from_this()](const Error& error) { self->OnHandshake(error); });
}

void HttpConnection::OnHandshake(const Error& error) {
  if (error) return Close();
  AwaitRequest();
}

void HttpConnection::Close() {
  Error ignored;
  timer_.cancel();
  stream_.socket().close(ignored);
}

void HttpConnection::SetDeadline(std::chrono::milliseconds time) {
  timed_out_ = false;
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this()](const Error& cancelled) {
    // The deadline may have been set again between firing and this call.
    if (cancelled || self->timer_.expiry() > std::chrono::steady_clock::now()) return;
    Error ignored;
    self->timed_out_ = true;
    self->stream_.socket().cancel(ignored);
  });
}

void HttpConnection::AwaitRequest() {
  waiting_since_ = std::chrono::steady_clock::now();
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(context_.limits.header_bytes));
  parser_->body_limit(context_.limits.body_bytes);
  if (buffer_.size() > 0) return ReadHeader();
  SetDeadline(context_.limits.idle_time);
  stream_.async_read_some(buffer_.prepare(kFirstRead), Bind(&HttpConnection::OnFirstBytes));
}

void HttpConnection::OnFirstBytes(const Error& error, std::size_t bytes) {
  if (error) return Close();
  buffer_.commit(bytes);
  ReadHeader();
}

void HttpConnection::ReadHeader() {
  SetDeadline(context_.limits.header_time);
  http::async_read_header(stream_, buffer_, *parser_, Bind(&HttpConnection::OnHeader));
}

void HttpConnection::OnHeader(const Error& error, std::size_t /*bytes*/) {
  if (error) return Refuse(error);
  if (!HasKnownLength(parser_->get())) {
    keep_alive_ = false;
    return WriteResponse(ErrorResponse(400, "the end of the request cannot be determined"));
  }
  SetDeadline(context_.limits.body_time);
  http::async_read(stream_, buffer_, *parser_, Bind(&HttpConnection::OnBody));
}

void HttpConnection::OnBody(const Error& error, std::size_t /*bytes*/) {
  if (error) return Refuse(error);
  Dispatch();
}

void HttpConnection::Refuse(const Error& error) {
  keep_alive_ = false;
  if (timed_out_) return WriteResponse(ErrorResponse(408, "the request took too long"));
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return WriteResponse(ErrorResponse(431, "the header is too large"));
  if (error == http::error::body_limit)
    return WriteResponse(ErrorResponse(413, "the body is too large"));
  // The client is gone, or did not send HTTP.
  if (error.category() != make_error_code(http::error::bad_method).category() ||
      error == http::error::end_of_stream || error == http::error::partial_message) {
    return Close();
  }
  WriteResponse(ErrorResponse(400, "the request is not HTTP/1.1"));
}

void HttpConnection::Dispatch() {
  timer_.cancel();
  waiting_since_.reset();
  http::request<http::string_body> message = parser_->release();
  keep_alive_ = message.keep_alive();
  head_only_ = message.method() == http::verb::head;
  Result<Request> request = ToRequest(message);
  if (!request) {
    keep_alive_ = false;
    return WriteResponse(ErrorResponse(400, request.error().message()));
  }
  if (context_.requests >= context_.limits.requests) {
    Response busy = ErrorResponse(503, "too many requests at once; try again");
    busy.headers.emplace_back("Retry-After", "1");
    return WriteResponse(std::move(busy));
  }
  ++context_.requests;
  if (context_.unread_bytes < context_.limits.unread_bytes) return Work(*std::move(request));
  context_.waiting.emplace_back(
      [self = shared_from_this(), request = std::make_shared<Request>(*std::move(request))] {
        self->Work(std::move(*request));
      });
  // A client that stopped reading must not make others wait for long.
  for (HttpConnection* other : context_.connections)
    if (other->unread_ > 0) other->SetDeadline(other->WriteTime());
}

void HttpConnection::Work(Request request) {
  asio::post(*context_.workers,
             [self = shared_from_this(), request = std::move(request)]() mutable {
               auto response = std::make_shared<Response>(self->context_.handler(request));
               asio::io_context& sockets = *self->context_.sockets;
               // The connection must end on the socket thread.
               asio::post(sockets, [self = std::move(self), response] {
                 --self->context_.requests;
                 self->WriteResponse(std::move(*response));
               });
             });
}

void HttpConnection::HoldBytes(std::size_t bytes) {
  unread_ = bytes;
  context_.unread_bytes += bytes;
}

void HttpConnection::ReleaseBytes() {
  context_.unread_bytes -= std::exchange(unread_, 0);
  while (context_.unread_bytes < context_.limits.unread_bytes && !context_.waiting.empty()) {
    const auto next = std::move(context_.waiting.front());
    context_.waiting.pop_front();
    next();
  }
}

std::chrono::milliseconds HttpConnection::WriteTime() const {
  return context_.waiting.empty() ? context_.limits.write_time : context_.limits.crowded_write_time;
}

void HttpConnection::WriteResponse(Response response) {
  waiting_since_.reset();
  was_answered_ = was_answered_ || response.status < 400;
  if (response.stream && context_.streams.size() >= context_.limits.streams) {
    response = ErrorResponse(503, "too many pages are open");
    response.headers.emplace_back("Retry-After", "10");
  }
  becomes_stream_ = response.stream && !head_only_;
  if (response.stream) keep_alive_ = false;
  output_.clear();
  written_ = 0;
  output_.push_back(HeaderOf(response, keep_alive_));
  if (!head_only_ && response.status != 304) output_.push_back(std::move(response.body));
  HoldBytes(output_.back().size());
  queued_ = 0;
  for (const std::string& part : output_) queued_ += part.size();
  WritePiece();
}

void HttpConnection::WritePiece() {
  while (!output_.empty() && written_ == output_.front().size()) {
    queued_ -= written_;
    output_.pop_front();
    written_ = 0;
  }
  if (output_.empty()) {
    writing_ = false;
    ReleaseBytes();
    if (is_stream_) {
      timer_.cancel();
      return;
    }
    if (becomes_stream_) return StartStream();
    if (keep_alive_) return AwaitRequest();
    return Linger();
  }
  writing_ = true;
  const std::string& part = output_.front();
  SetDeadline(WriteTime());
  std::array<asio::const_buffer, 2> pieces = {
      asio::buffer(part.data() + written_, std::min(kPiece, part.size() - written_)),
      asio::const_buffer()};
  // A header and a small body go out in one packet.
  if (written_ == 0 && output_.size() > 1 && part.size() + output_[1].size() <= kPiece)
    pieces[1] = asio::buffer(output_[1]);
  asio::async_write(stream_, pieces, Bind(&HttpConnection::OnPiece));
}

void HttpConnection::OnPiece(const Error& error, std::size_t bytes) {
  if (error) return Close();
  while (bytes > 0) {
    const std::size_t here = std::min(bytes, output_.front().size() - written_);
    written_ += here;
    bytes -= here;
    if (bytes == 0) break;
    queued_ -= written_;
    output_.pop_front();
    written_ = 0;
  }
  WritePiece();
}

void HttpConnection::StartStream() {
  is_stream_ = true;
  context_.streams.insert(this);
  timer_.cancel();
  stream_.async_read_some(asio::buffer(drain_), Bind(&HttpConnection::OnStreamRead));
}

void HttpConnection::OnStreamRead(const Error& error, std::size_t /*bytes*/) {
  // The client must send nothing here: it is gone, or violates HTTP.
  static_cast<void>(error);
  context_.streams.erase(this);
  Close();
}

void HttpConnection::Send(const std::string& message) {
  if (queued_ + message.size() > context_.limits.stream_bytes) return Close();
  output_.push_back(message);
  queued_ += message.size();
  if (!writing_) WritePiece();
}

// A client that is still sending when its socket is closed would get a reset instead of the
// response.
void HttpConnection::Linger() {
  Error ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  SetDeadline(context_.limits.linger_time);
  stream_.async_read_some(asio::buffer(drain_), Bind(&HttpConnection::OnLinger));
}

void HttpConnection::OnLinger(const Error& error, std::size_t bytes) {
  lingered_ += bytes;
  if (error || lingered_ > kMaxLinger) return Close();
  stream_.async_read_some(asio::buffer(drain_), Bind(&HttpConnection::OnLinger));
}

}  // namespace sightline::dashboard
