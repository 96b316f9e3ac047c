// JournalMap: the memory of a journal, mapped from its file and locked for one process. The ring is
// mapped twice in a row, so that an entry never wraps.
//
// The lock is a flock on the journal's open file: the kernel releases it when the owner dies, and a
// forked child gives its copy up at once, without touching the memory (process_registry.h).
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

// What becomes of a journal that another machine wrote on a drive that it shares with this one.
enum class OtherMachines : std::uint8_t {
  kLeaveAlone,  // Whether its recorder lives cannot be known here.
  kAdopt,       // Somebody knows that it does not.
};

class JournalMap {
 public:
  // Makes a new journal in `directory`, allocates its blocks (a store into a hole of a full disk is
  // SIGBUS), locks and maps it. Where `directory` is not `link_directory`, a symbolic link there
  // leads to it, so that readers and the next writer find it beside the run. ring_bytes: rounded up
  // to whole pages. kUnimplemented: the file system copies on each write.
  static Result<std::unique_ptr<JournalMap>> Create(
      FileSystem& file_system, const std::string& directory, const std::string& link_directory,
      std::string_view session_id, std::size_t ring_bytes, std::string_view manifest,
      std::size_t sinks, const Host& host = Host::This());

  // The same in anonymous memory: works everywhere, does not survive the process.
  static Result<std::unique_ptr<JournalMap>> CreatePrivate(std::string_view session_id,
                                                           std::size_t ring_bytes,
                                                           std::string_view manifest,
                                                           std::size_t sinks);

  // Takes over what a dead process left. kUnavailable: its owner lives. kAlreadyExists: another
  // process has taken it over. kDataLoss: it is no sound journal. kFailedPrecondition: another
  // machine's, and left alone.
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

  // Touches the ring's pages, so that no caller pays for it. From the writer's thread.
  void Populate();
  // Removes the file and the link; the memory stays usable until destruction.
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

// CRC32C over the header's fixed fields, as JournalHeader::checksum holds it.
std::uint32_t JournalHeaderChecksum(const JournalHeader& header);

// Whether the journal that is open as `fd` was taken over by a replay, so that its recorder is
// dead, whoever holds the lock.
bool IsAdopted(int fd);

// Whether the lock of a journal at `path` with this header may be believed by `host`: it is of the
// same boot, or no machine but this one can have the drive, or the machine was started again.
bool IsOfThisMachine(const JournalHeader& header, const std::string& path, const Host& host);

// Whether the fixed part of a header is sound; `file_bytes` is the size of the journal's file.
Status CheckJournalHeader(const JournalHeader& header, std::uint64_t file_bytes);

}  // namespace sightline
