// DirectoryWatch: reports which directories of runs changed since the last call. It uses inotify,
// so directories that do not change cost nothing. Some directories it cannot watch: those on a
// network file system or on no disk, and all further ones once the system's watches are used up.
// The caller must look at these from time to time.
//
//   DirectoryWatch watch;
//   if (!watch.Add(path)) Poll(path);
//   poll(...watch.descriptor()...);
//   const DirectoryWatch::News news = watch.Take();
//
// It does not report what a recorder writes into its journal, which is memory. Private to this
// folder. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace sightline {

class DirectoryWatch {
 public:
  // Watches at most `most` directories. By default half of those that the system allows to a user,
  // whose editor needs some, too.
  explicit DirectoryWatch(std::size_t most = HalfOfTheUsers());
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  // Watches `directory`, and returns true; false if it cannot be watched. Call this before you list
  // the directory, so that no change is missed.
  bool Add(const std::string& directory);

  struct News {
    // Directories whose event files or journals changed, or in which directories appeared.
    std::set<std::string, std::less<>> changed;
    // Directories that were removed or renamed. They and those below them are no longer watched.
    std::set<std::string, std::less<>> gone;
    // Events were lost: look at everything.
    bool everything = false;
  };
  News Take();

  // Becomes readable when there is news; -1 if nothing can be watched.
  int descriptor() const { return fd_; }

 private:
  static std::size_t HalfOfTheUsers();
  void Forget(const std::string& directory);
  void TakeEvents(const char* begin, const char* end, News& news);

  int fd_;  // -1 if nothing can be watched.
  std::size_t most_;
  std::map<int, std::string> directories_;  // By watch.
  std::map<std::string, int, std::less<>> watches_;
};

}  // namespace sightline
