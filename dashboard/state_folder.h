// StateFolder: what a user's servers keep between two starts, and tell each other: the token, and a
// file for each server that runs. Everything in it is readable by its user only.
//
//   ~/.local/state/sightline/token             the token, one for all servers of a user
//   ~/.local/state/sightline/servers/8080      a server's address and process; locked while it runs
//   ~/.local/state/sightline/servers/8080.log  what a server in the background had to say
//
// Callable from any thread and several processes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/status.h"

namespace sightline::dashboard {

// 256 bits from the kernel, as 43 characters that need no escaping in an address.
Result<std::string> MakeToken();

struct RunningServer {
  std::uint16_t port = 0;
  std::string url;  // Without the token.
  bool needs_token = true;
  std::string directory;  // The first one that it shows.
};

// Says that a server runs, as long as it lives; the file goes with it.
class ServerNote {
 public:
  ~ServerNote();
  ServerNote(const ServerNote&) = delete;
  ServerNote& operator=(const ServerNote&) = delete;

 private:
  friend class StateFolder;
  ServerNote(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_;
  std::string path_;
};

class StateFolder {
 public:
  // $XDG_STATE_HOME/sightline, else ~/.local/state/sightline; kNotFound where neither is named.
  static Result<StateFolder> OfUser();
  explicit StateFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  // The kept token; made anew where there is none, or where others could have read or written it.
  Result<std::string> Token() const;

  // kAlreadyExists where a server of this user has that port.
  Result<std::unique_ptr<ServerNote>> Note(const RunningServer& server) const;
  // The servers that run, by port.
  Result<std::vector<RunningServer>> Servers() const;
  // Ends the one of that port, and waits until it is gone, 20 s at most. kNotFound where none runs.
  // The process is known by the lock that it holds, never by its number alone.
  Status StopServer(std::uint16_t port) const;

  // The path of a file beside it, e.g. for a log; the folders exist then.
  Result<std::string> FileFor(const std::string& name) const;

 private:
  Result<std::string> ServersFolder() const;
  std::string path_;
};

}  // namespace sightline::dashboard
