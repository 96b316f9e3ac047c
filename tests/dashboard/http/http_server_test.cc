#include "sightline/dashboard/http/http_server.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "sightline/tests/dashboard/http_client.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using testing::Ask;
using ::testing::HasSubstr;
using testing::HttpClient;
using ::testing::Not;
using testing::Reply;
using namespace std::chrono_literals;

constexpr char kHost[] = "Host: localhost\r\n";

Response Echo(const Request& request) {
  Response response;
  response.content_type = "text/plain";
  response.body = request.target.path + "|" + request.body;
  if (request.target.path == "/stream") {
    response.stream = true;
    response.body = "event: hello\n\n";
  }
  if (request.target.path == "/long") {
    response.body.assign(
        static_cast<std::size_t>(request.target.Integer("bytes", 0, 0, 1 << 28).value()), 'x');
  }
  return response;
}

class HttpServerTest : public ::testing::Test {
 protected:
  void Serve(ServerLimits limits = {}, Handler handler = Echo) {
    ServerOptions options;
    options.limits = limits;
    auto server = HttpServer::Listen(options, std::move(handler));
    ASSERT_THAT(server, sightline::testing::IsOk());
    server_ = *std::move(server);
  }
  std::uint16_t port() const { return server_->port(); }

  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersSeveralRequestsOnOneConnection) {
  Serve();
  HttpClient client(port());
  client.Send("GET /a?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.Receive().body, "/a|");
  client.Send("POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nxyz");
  EXPECT_EQ(client.Receive().body, "/b|xyz");
}

TEST_F(HttpServerTest, AnswersRequestsThatWereSentAtOnceInTheirOrder) {
  Serve();
  HttpClient client(port());
  client.Send("GET /a HTTP/1.1\r\nHost: l\r\n\r\nGET /b HTTP/1.1\r\nHost: l\r\n\r\n");
  EXPECT_EQ(client.Receive().body, "/a|");
  EXPECT_EQ(client.Receive().body, "/b|");
}

TEST_F(HttpServerTest, SendsNoBodyToHead) {
  Serve();
  const Reply reply = Ask(port(), "HEAD", "/long?bytes=10", kHost);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.at("content-length"), "10");
}

TEST_F(HttpServerTest, SendsLongAnswersWhole) {
  Serve();
  const Reply reply = Ask(port(), "GET", "/long?bytes=5000000", kHost);
  EXPECT_EQ(reply.body, std::string(5'000'000, 'x'));
}

TEST_F(HttpServerTest, RefusesWhatIsNoHttp) {
  Serve();
  HttpClient client(port());
  client.Send("\x16\x03\x01 hello\r\n\r\n");
  EXPECT_EQ(client.Receive().status, 400);
  EXPECT_TRUE(client.ReadsEnd());
}

// A proxy may read the second request as the body of the first.
TEST_F(HttpServerTest, RefusesARequestWhoseEndIsNotClear) {
  Serve();
  for (const char* coding :
       {"Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: ", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5"}) {
    HttpClient client(port());
    client.Send(std::string("POST /a HTTP/1.1\r\nHost: l\r\n") + coding +
                "\r\n\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: l\r\n\r\n");
    EXPECT_EQ(client.Receive().status, 400) << coding;
    EXPECT_TRUE(client.ReadsEnd()) << coding;
    EXPECT_EQ(client.held(), "") << coding;
  }
  HttpClient client(port());
  client.Send(
      "POST /a HTTP/1.1\r\nHost: l\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  EXPECT_EQ(client.Receive().body, "/a|abc");
}

TEST_F(HttpServerTest, RefusesARequestWithoutOneHost) {
  Serve();
  EXPECT_EQ(Ask(port(), "GET", "/", "").status, 400);
  EXPECT_EQ(Ask(port(), "GET", "/", "Host: a\r\nHost: b\r\n").status, 400);
}

TEST_F(HttpServerTest, RefusesPathsThatLeadUpward) {
  Serve();
  for (const char* target : {"/../etc/passwd", "/%2e%2e/etc/passwd", "/a/..%2f..%2fetc", "/a%5c..",
                             "//etc/passwd", "/%00", "/%zz", "http://localhost/a", "/a\xff"}) {
    EXPECT_EQ(Ask(port(), "GET", target, kHost).status, 400) << target;
  }
}

TEST_F(HttpServerTest, RefusesAHeaderThatIsTooLarge) {
  ServerLimits limits;
  limits.header_bytes = 2048;
  Serve(limits);
  EXPECT_EQ(Ask(port(), "GET", "/", std::string(kHost) + "X: " + std::string(10'000, 'x') + "\r\n")
                .status,
            431);
}

TEST_F(HttpServerTest, RefusesABodyThatIsTooLarge) {
  ServerLimits limits;
  limits.body_bytes = 1000;
  Serve(limits);
  EXPECT_EQ(Ask(port(), "POST", "/", kHost, std::string(1001, 'x')).status, 413);
  EXPECT_EQ(Ask(port(), "POST", "/", kHost, std::string(1000, 'x')).status, 200);
  HttpClient chunked(port());
  chunked.Send("POST / HTTP/1.1\r\nHost: l\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n");
  chunked.Send(std::string(0xfff, 'x') + "\r\n");
  EXPECT_EQ(chunked.Receive().status, 413);
}

TEST_F(HttpServerTest, ClosesAConnectionThatSaysNothing) {
  ServerLimits limits;
  limits.idle_time = 50ms;
  Serve(limits);
  HttpClient client(port());
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(HttpServerTest, AnswersATimeoutToAHeaderThatDoesNotEnd) {
  ServerLimits limits;
  limits.header_time = 50ms;
  Serve(limits);
  HttpClient client(port());
  client.Send("GET / HTTP/1.1\r\nHost: local");
  EXPECT_EQ(client.Receive().status, 408);
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(HttpServerTest, AnswersATimeoutToABodyThatDoesNotEnd) {
  ServerLimits limits;
  limits.body_time = 50ms;
  Serve(limits);
  HttpClient client(port());
  client.Send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(client.Receive().status, 408);
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(HttpServerTest, ClosesAConnectionWhoseAnswerIsNotRead) {
  ServerLimits limits;
  limits.write_time = 50ms;
  limits.connections = 1;
  Serve(limits);
  HttpClient client(port());
  // More than the buffers of both sockets hold.
  client.Send("GET /long?bytes=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  // While it is open no other one is answered.
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  Reply reply;
  while (reply.status == 0 && std::chrono::steady_clock::now() < deadline)
    reply = Ask(port(), "GET", "/a", kHost);
  EXPECT_EQ(reply.body, "/a|");
}

TEST_F(HttpServerTest, DisconnectsWhoDoesNotReadWhereThatKeepsOthersWaiting) {
  ServerLimits limits;
  limits.unread_bytes = 1'000'000;
  limits.crowded_write_time = 50ms;
  Serve(limits);
  // More than the buffers of both sockets hold: the rest waits in the server.
  HttpClient lazy(port());
  lazy.Send("GET /long?bytes=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(lazy.ReadUntil("\r\n\r\n"));
  EXPECT_EQ(Ask(port(), "GET", "/a", kHost).body, "/a|");
  EXPECT_TRUE(lazy.ReadsEnd());
}

TEST_F(HttpServerTest, StopsWhileRequestsWaitForOthersToRead) {
  ServerLimits limits;
  limits.unread_bytes = 1;
  Serve(limits);
  HttpClient lazy(port());
  lazy.Send("GET /long?bytes=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(lazy.ReadUntil("\r\n\r\n"));
  HttpClient waiting(port());
  waiting.Send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  server_->Stop();
  server_.reset();
  EXPECT_TRUE(waiting.ReadsEnd());
}

TEST_F(HttpServerTest, ServesBesideManyIdleAndHalfSentRequests) {
  Serve();
  std::vector<std::unique_ptr<HttpClient>> idle;
  for (int i = 0; i < 200; ++i) {
    idle.push_back(std::make_unique<HttpClient>(port()));
    if (i % 2 == 0) idle.back()->Send("GET / HTTP/1.1\r\nHo");
    if (i % 3 == 0) idle.back()->Send("st: l\r\nContent-Length: 5\r\n\r\na");
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Ask(port(), "GET", "/a", kHost).body, "/a|");
}

TEST_F(HttpServerTest, ClosesTheConnectionThatIsIdleForLongestBeyondTheLimit) {
  ServerLimits limits;
  limits.connections = 3;
  Serve(limits);
  const std::string request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const auto answers = [&](HttpClient& client) {
    client.Send(request);
    return client.Receive().status == 200;
  };
  HttpClient useful(port());
  EXPECT_TRUE(answers(useful));
  HttpClient silent(port());
  HttpClient unfinished(port());
  unfinished.Send("GET /");
  HttpClient first(port());
  EXPECT_TRUE(answers(first));
  EXPECT_TRUE(silent.ReadsEnd());
  HttpClient second(port());
  EXPECT_TRUE(answers(second));
  EXPECT_TRUE(unfinished.ReadsEnd());
  EXPECT_TRUE(answers(first)) << "of those that were answered, the others waited longer";
  HttpClient third(port());
  EXPECT_TRUE(answers(third));
  EXPECT_TRUE(useful.ReadsEnd());
  EXPECT_TRUE(answers(first));
}

TEST_F(HttpServerTest, AnswersBesideManyWhoSayNothing) {
  ServerLimits limits;
  limits.connections = 20;
  Serve(limits);
  std::vector<std::unique_ptr<HttpClient>> silent;
  for (int i = 0; i < 500; ++i) {
    silent.push_back(std::make_unique<HttpClient>(port()));
    if (i % 2 == 0) silent.back()->Send("GET / HTTP/1.1\r\nHo");
    if (i % 50 != 0) continue;
    EXPECT_EQ(Ask(port(), "GET", "/a", kHost).body, "/a|");
  }
}

TEST_F(HttpServerTest, ClosesANewConnectionIfAllOthersAreAtWork) {
  ServerLimits limits;
  limits.connections = 1;
  Serve(limits);
  HttpClient stream(port());
  stream.Send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(stream.ReadUntil("event: hello\n\n"));
  EXPECT_TRUE(HttpClient(port()).ReadsEnd());
  server_->Publish("event: more\n\n");
  EXPECT_TRUE(stream.ReadUntil("event: more\n\n"));
}

TEST_F(HttpServerTest, AsksForAsManyDescriptorsAsItHasConnections) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 200;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  Serve();
  rlimit now{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &now), 0);
  EXPECT_EQ(now.rlim_cur, std::min<rlim_t>(ServerLimits().connections + 256, before.rlim_max));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(HttpServerTest, SaysThatItIsBusyBeyondTheLimitOfRequests) {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  int inside = 0;
  ServerLimits limits;
  limits.requests = 1;
  Serve(limits, [&](const Request& request) {
    std::unique_lock lock(mutex);
    ++inside;
    changed.notify_all();
    changed.wait(lock, [&] { return open; });
    return Echo(request);
  });
  HttpClient first(port());
  first.Send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, 60s, [&] { return inside == 1; }));
  }
  const Reply busy = Ask(port(), "GET", "/b", kHost);
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.headers.at("retry-after"), "1");
  {
    const std::lock_guard lock(mutex);
    open = true;
  }
  changed.notify_all();
  EXPECT_EQ(first.Receive().body, "/a|");
}

TEST_F(HttpServerTest, SendsWhatIsPublishedToEachStream) {
  ServerLimits limits;
  limits.comment_time = 20ms;
  Serve(limits);
  HttpClient a(port());
  HttpClient b(port());
  for (HttpClient* client : {&a, &b}) {
    client->Send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
    // A comment says that it is subscribed.
    ASSERT_TRUE(client->ReadUntil(": still here\n\n"));
    EXPECT_THAT(client->held(), HasSubstr("event: hello"));
    EXPECT_THAT(client->held(), Not(HasSubstr("Content-Length")));
  }
  server_->Publish("event: changes\ndata: 1\n\n");
  EXPECT_TRUE(a.ReadUntil("data: 1"));
  EXPECT_TRUE(b.ReadUntil("data: 1"));
}

TEST_F(HttpServerTest, ClosesAStreamThatDoesNotRead) {
  ServerLimits limits;
  limits.stream_bytes = 1000;
  limits.comment_time = 20ms;
  Serve(limits);
  HttpClient client(port());
  client.Send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(client.ReadUntil(": still here\n\n"));
  server_->Publish(std::string(2000, 'x'));
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(HttpServerTest, StopsWithConnectionsAndStreamsOpen) {
  Serve();
  HttpClient idle(port());
  HttpClient stream(port());
  stream.Send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(stream.ReadUntil("hello"));
  server_->Stop();
  server_.reset();
  EXPECT_TRUE(idle.ReadsEnd());
  EXPECT_TRUE(stream.ReadsEnd());
}

TEST_F(HttpServerTest, TakesTheNextFreePort) {
  Serve();
  ServerOptions options;
  options.port = port();
  EXPECT_EQ(HttpServer::Listen(options, Echo).error().code(), StatusCode::kUnavailable);
  options.port_attempts = 200;
  const auto next = HttpServer::Listen(options, Echo);
  ASSERT_THAT(next, sightline::testing::IsOk());
  EXPECT_GT((*next)->port(), port());
}

TEST_F(HttpServerTest, NeedsAnAddressInNumbers) {
  ServerOptions options;
  options.address = "box.example.org";
  EXPECT_EQ(HttpServer::Listen(options, Echo).error().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sightline::dashboard
