// HttpClient: one TCP connection to the server under test, byte by byte where a test wants it so.
// Every wait ends after 60 s at the latest, and then reads as a closed connection.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::dashboard::testing {

struct Reply {
  int status = 0;                              // 0: the connection was closed without a response.
  std::map<std::string, std::string> headers;  // Names in small letters.
  std::string body;
  nlohmann::json Json() const { return nlohmann::json::parse(body, nullptr, false); }
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  }
  ~HttpClient() { close(fd_); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  int fd() const { return fd_; }

  // False where the server has closed.
  bool Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  // Reads until `held` contains `text`; false at the end of the connection.
  bool ReadUntil(std::string_view text) {
    while (held_.find(text) == std::string::npos)
      if (!ReadMore()) return false;
    return true;
  }
  const std::string& held() const { return held_; }

  // Whether the server closes the connection, with or without a response before.
  bool ReadsEnd() {
    while (ReadMore()) {
    }
    return ended_;
  }

  Reply Receive(bool head = false) {
    Reply reply;
    if (!ReadUntil("\r\n\r\n")) return reply;
    const std::size_t end = held_.find("\r\n\r\n");
    const std::string header = held_.substr(0, end + 2);
    held_.erase(0, end + 4);
    reply.status = std::atoi(header.substr(9, 3).c_str());
    for (std::size_t at = header.find("\r\n") + 2; at < header.size();) {
      const std::size_t line = header.find("\r\n", at);
      const std::size_t colon = header.find(": ", at);
      std::string name = header.substr(at, colon - at);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      reply.headers[name] = header.substr(colon + 2, line - colon - 2);
      at = line + 2;
    }
    const auto length = reply.headers.find("content-length");
    if (head || length == reply.headers.end()) return reply;
    const auto bytes = static_cast<std::size_t>(std::stoul(length->second));
    while (held_.size() < bytes)
      if (!ReadMore()) break;
    reply.body = held_.substr(0, bytes);
    held_.erase(0, bytes);
    return reply;
  }

 private:
  bool ReadMore() {
    pollfd ready{fd_, POLLIN, 0};
    if (poll(&ready, 1, 60'000) <= 0) return false;
    char buffer[65536];
    const ssize_t n = recv(fd_, buffer, sizeof(buffer), 0);
    if (n <= 0) ended_ = true;
    if (n <= 0) return false;
    held_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  int fd_;
  std::string held_;
  bool ended_ = false;
};

// One request on a connection of its own. `headers`: lines that each end in CR LF.
inline Reply Ask(std::uint16_t port, const std::string& method, const std::string& target,
                 const std::string& headers, const std::string& body = {}) {
  HttpClient client(port);
  std::string request = method + " " + target + " HTTP/1.1\r\n" + headers;
  if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  client.Send(request + "\r\n" + body);
  return client.Receive(method == "HEAD");
}

}  // namespace sightline::dashboard::testing
