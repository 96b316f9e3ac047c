// JournalMap: a journal's file, mapped into memory and locked for one process. The ring is mapped
// twice in a row, so that no entry wraps.
//
// The lock is a flock on the open file. The kernel releases it when the owner dies. A forked child
// gives up its copy of it at once, without touching the memory (process_registry.h).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/journal/host.h"
#include "sightline/recorder/journal/journal_format.h"

namespace sightline {

// The treatment of a journal on a shared drive that another machine wrote.
enum class OtherMachines : std::uint8_t {
  kLeaveAlone,  // This machine cannot know whether its recorder lives.
  kAdopt,       // The user knows that it is dead.
};

class JournalMap {
 public:
  // Makes a new journal in `directory`, allocates its blocks (a store into a hole of a full disk
  // raises SIGBUS), locks and maps it. If `directory` is not `link_directory`, a symbolic link in
  // `link_directory` leads to the journal, so that readers and the next writer find it beside the
  // run. `ring_bytes` is rounded up to a multiple of kJournalRingOffset. kUnimplemented if the file
  // system copies on each write.
  static Result<std::unique_ptr<JournalMap>> Create(
      FileSystem& file_system, const std::string& directory, const std::string& link_directory,
      std::string_view session_id, std::size_t ring_bytes, std::string_view manifest,
      std::size_t sinks, const Host& host = Host::This());

  // The same in anonymous memory. This works everywhere, but does not survive the process.
  static Result<std::unique_ptr<JournalMap>> CreatePrivate(std::string_view session_id,
                                                           std::size_t ring_bytes,
                                                           std::string_view manifest,
                                                           std::size_t sinks);

  // Takes over the journal of a dead process. kUnavailable if its owner lives, kAlreadyExists if
  // another process has taken it over, kDataLoss if the journal is damaged, kUnimplemented if it
  // has another version, kFailedPrecondition if another machine wrote it and `others` is
  // kLeaveAlone.
  static Result<std::unique_ptr<JournalMap>> Adopt(
      FileSystem& file_system, const std::string& path, const Host& host = Host::This(),
      OtherMachines others = OtherMachines::kLeaveAlone);

  ~JournalMap();
  JournalMap(const JournalMap&) = delete;
  JournalMap& operator=(const JournalMap&) = delete;

  JournalHeader* header() const { return reinterpret_cast<JournalHeader*>(base_); }
  char* ring() const { return base_ + kJournalRingOffset; }
  std::size_t ring_bytes() const { return ring_bytes_; }
  bool kill_safe() const { return !path_.empty(); }
  const std::string& path() const { return path_; }  // Empty: private memory.

  // Makes the kernel map all pages, so that no caller waits for it. The writer's thread calls it.
  void Populate();
  // Removes the file and the link. The memory stays usable until destruction.
  Status Remove();

 private:
  JournalMap() = default;
  void GiveUpInForkedChildren();
  Status Map(int fd, std::size_t ring_bytes);
  void Initialize(std::string_view session_id, std::string_view manifest, std::size_t sinks,
                  const Host& host);

  FileSystem* file_system_ = nullptr;
  std::string path_;
  std::string link_;
  int fd_ = -1;
  bool registered_ = false;
  char* base_ = nullptr;
  std::size_t ring_bytes_ = 0;
};

// The CRC32C of the header's fixed fields, for JournalHeader::checksum.
std::uint32_t JournalHeaderChecksum(const JournalHeader& header);

// Whether a replay has taken over the journal that is open as `fd`. Then its recorder is dead,
// whoever holds the lock.
bool IsAdopted(int fd);

// Whether `host` may trust the lock of the journal at `path` with this header: the journal is of
// the same boot, or of an earlier boot of this machine, or no other machine can have the drive
// mounted.
bool IsOfThisMachine(const JournalHeader& header, const std::string& path, const Host& host);

// OK if the fixed part of a header is sound; kDataLoss if not, kUnimplemented if it has another
// version. `file_bytes` is the size of the journal's file.
Status CheckJournalHeader(const JournalHeader& header, std::uint64_t file_bytes);

}  // namespace sightline
