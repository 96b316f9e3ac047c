// DirectoryWatch: which directories of runs changed since one asked, told by inotify: those that do
// not change cost nothing. What it cannot watch - the system's watches are used up, the directory
// lies on a network or on no disk at all - its user looks at from time to time.
//
//   DirectoryWatch watch;
//   if (!watch.Add(path)) Poll(path);
//   poll(...watch.descriptor()...);
//   const DirectoryWatch::News news = watch.Take();
//
// What a recorder writes into its journal is not told: that is memory.
// Private to this folder. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace sightline {

class DirectoryWatch {
 public:
  // `most`: directories that are watched at most.
  explicit DirectoryWatch(std::size_t most = SIZE_MAX);
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  // Whether it is watched from now on, or already. Call before it is listed.
  bool Add(const std::string& directory);

  struct News {
    std::set<std::string, std::less<>> changed;  // Their event files or journals did.
    // Directories appeared or went away, or more happened than was told: look at everything.
    bool everything = false;
  };
  News Take();

  // Can be read when there is news; -1 where nothing can be watched.
  int descriptor() const { return fd_; }

 private:
  void Forget(const std::string& directory);
  void TakeEvents(const char* begin, const char* end, News& news);

  int fd_;  // -1: nothing can be watched.
  std::size_t most_;
  std::map<int, std::string> directories_;  // By their watch.
  std::map<std::string, int, std::less<>> watches_;
};

}  // namespace sightline
