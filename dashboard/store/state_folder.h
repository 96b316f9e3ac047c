// StateFolder: the folder that a user's servers share. It holds the token, and a file for each
// server that runs. Only the user can read what is in it.
//
//   ~/.local/state/sightline/token             the token, one for all servers of a user
//   ~/.local/state/sightline/servers/8080      a server's address and process; locked while it runs
//   ~/.local/state/sightline/servers/8080.log  the output of a server in the background
//
// May be called from any thread and from several processes.
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
  std::string directory;  // The first of the directories that it shows.
};

// The file of a running server. The destructor deletes it.
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
  // $XDG_STATE_HOME/sightline, or else ~/.local/state/sightline. kNotFound if neither variable,
  // XDG_STATE_HOME or HOME, is set.
  static Result<StateFolder> OfUser();
  explicit StateFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  // The token. A new one is made if there is none, or if other users could read or write the file.
  Result<std::string> Token() const;

  // Writes the file of a server that starts. kAlreadyExists if a server of this user has that port.
  Result<std::unique_ptr<ServerNote>> Note(const RunningServer& server) const;
  // The servers that run, by port.
  Result<std::vector<RunningServer>> Servers() const;
  // Ends the server of that port, and waits until it has ended, 20 s at most. kNotFound if none
  // runs. The process is identified by the lock that it holds, never by its number alone.
  Status StopServer(std::uint16_t port) const;

  // The path of a further file, e.g. a log, next to those of the servers. Creates the folders.
  Result<std::string> FileFor(const std::string& name) const;

 private:
  Result<std::string> ServersFolder() const;
  std::string path_;
};

}  // namespace sightline::dashboard
